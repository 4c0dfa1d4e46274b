"""Contests as pages and programs are shown them: what their folders hold, and how it is drawn."""
