"""Searches, generic over a game: they know the interface and never a game by name."""
