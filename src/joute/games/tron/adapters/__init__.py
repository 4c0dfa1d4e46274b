"""Adapters for bots of the contests that the game comes from."""
