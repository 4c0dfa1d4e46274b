"""Joute's games in other libraries; each module needs that library, and none of the others."""
