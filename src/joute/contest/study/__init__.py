"""Comparisons of built-in bots: strength, effort and quality of choices."""
