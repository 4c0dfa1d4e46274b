"""Strength estimated from results: ratings with intervals, and sequential tests of two bots."""
