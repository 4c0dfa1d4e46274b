"""Fuzzing: cases made by the thousand are given to what reads other people's input.

A case is bytes, so that it can be kept as a file. A target (a module of `fuzzing.targets`) accepts
it, refuses it in a documented way, or has a bug. `scripts/fuzz` runs the targets; see
CONTRIBUTING.md.
"""
