"""Recorded games as browsers show them: positions, marks, clocks, values, and files that stand alone."""
