"""Contests of game-playing programs, played in isolation and recorded so that they can be proved.

The layers, from the top down; imports go downwards only:

    games
    cli
    web
    learn
    contest | redteam
    play | store
    bots | host
    search
    core
    i18n
    files | machine | svg | text

This module imports nothing, so that the command line starts at once.
"""

__version__ = "0.1.0"
