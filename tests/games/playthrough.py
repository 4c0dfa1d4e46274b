"""The playthroughs of Joute's own games, each in the folder of the game's tests.

`PYTHONPATH=tests python -m games.playthrough` writes the files of all games again; what changed is
to be read before it is kept.
"""

from games.samples import FOLDER, samples

from joute.core.registry import make
from joute.library.playthrough import play_lines


def text(name):
    """The whole file of a game."""
    plays = samples()[name].PLAYS
    return "\n".join(
        line
        for values, seed, most in plays
        for line in play_lines(make(name, **values), seed, most)
    )


def path(name):
    """The place of a game's file."""
    return FOLDER / name.replace("-", "_") / "playthrough.txt"


if __name__ == "__main__":
    for each in samples():
        path(each).write_text(text(each), "utf-8")
