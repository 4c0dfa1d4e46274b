"""Bots handed in: contests open for them, participants, versions, checks, test games, the run."""
