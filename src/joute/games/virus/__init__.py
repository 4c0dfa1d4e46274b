"""Virus, the game of the HX2 contest."""
