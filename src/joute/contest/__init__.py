"""Formats: what is to be played, the runner that gets it played, the standings that come of it."""
