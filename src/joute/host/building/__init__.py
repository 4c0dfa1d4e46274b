"""Bots that are handed in as sources: what is built, in the jail, once for the same sources."""
