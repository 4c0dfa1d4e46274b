"""The configuration of a contest: from TOML to one value."""
