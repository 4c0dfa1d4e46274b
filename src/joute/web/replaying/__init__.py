"""Recorded games as browsers show them: positions, marks, values, pages that stand alone."""
