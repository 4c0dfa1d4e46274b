"""The targets, a module each; `fuzzing.target` says what they bring."""
