"""Formats of contests: which games are due, as functions of the results so far."""
