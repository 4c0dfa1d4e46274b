"""Adapters for programs of the contest that the game comes from."""
