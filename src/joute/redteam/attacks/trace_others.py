"""Attaches itself as a debugger to another program of the same user."""

from attempt import attempt, call

SEIZE = 0x4206


def play(observation, clock):
    return attempt(decoy=lambda: call("ptrace", SEIZE, observation["aim"]["decoy"], 0, 0))
