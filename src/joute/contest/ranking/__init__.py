"""Rows of results, points, orders of bots, and what costs them their place."""
