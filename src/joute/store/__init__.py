"""Persistence: what a contest has played, in SQLite by default, elsewhere by URL.

Knows nothing of games, bots or contests: rows of plain data go in and come out.
"""
