"""Tron: bikes and their trails, on maps of several floors."""
