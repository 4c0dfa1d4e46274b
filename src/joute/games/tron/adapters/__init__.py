"""Bots and servers of the contest that the game comes from."""
