"""Recorded games as browsers show them: positions, highlights, values, pages that stand alone."""
