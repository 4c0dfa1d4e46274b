"""Bots for this game, and their evaluations."""
