"""Contests of game-playing programs, played in isolation and recorded so that they can be proved.

The layers, from the top down: `cli`; `contest`; `play` and `store`; `bots` and `host`; `search`;
`games`. Imports go downwards only. This module imports nothing, so that the command line starts
at once.
"""

__version__ = "0.1.0"
