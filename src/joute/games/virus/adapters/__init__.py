"""Bots written for the HX2 contest."""
