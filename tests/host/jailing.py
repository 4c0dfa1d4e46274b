"""Shared parts of the sandbox's tests: levels that this machine must grant, hosted attempts."""

import json
import subprocess
import sys

from helpers import cannot_run

from joute.host import Level, granted
from joute.host.command import environment, program_command
from joute.host.sandbox import canaries

JAILED = [Level.KERNEL, Level.FULL]

ATTEMPTING = """
import os
def attempt(what):
    try:
        return str(eval(what))
    except BaseException as error:
        return type(error).__name__
def play(observation, clock):
    return {"action": 0, "message": " | ".join(map(attempt, observation["attempts"]))}
"""
"""A bot that evaluates expressions, and answers what came of each, or its exception."""


def need_level(level):
    """Skips the running test, or fails it in CI, where the machine does not grant a level."""
    if granted().level < level:
        cannot_run(f"isolation {level}: {granted().missing[0]}")


def attempted(attempts, level):
    """Attempts of the canary of one level that succeed at another; at `none`, without any limit."""
    with canaries._targets() as targets:
        words = [sys.executable, "-I", "-B", "-S", str(canaries.CANARY), attempts]
        words.append(json.dumps(targets))
        if level is not Level.NONE:
            words = program_command(words, canaries._LIMITS, level=level)
        done = subprocess.run(
            words,
            env=environment("canary"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
        )
    return set(json.loads(done.stdout))
