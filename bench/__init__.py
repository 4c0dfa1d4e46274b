"""Measurements of Joute, as ratios to something measured in the same run: `scripts/bench NAME`."""
