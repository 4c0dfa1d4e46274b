"""The commands. Heavy modules are imported inside them, so that `joute --help` starts at once."""
