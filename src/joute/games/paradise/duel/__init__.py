"""Duels of agents written for the original contest."""
