"""Hostile bots, and what stops each of them: the proof of what isolation and clocks promise."""
