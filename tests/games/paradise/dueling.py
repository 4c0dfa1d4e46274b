"""Agents of the Paradise contest, in a folder, and their games at the command line."""

from pathlib import Path

from joute.play.record import read_record

FACE = """
def start():
    print("at the start")


def play(state):
    hand, room = state["player_hand"], len(state["player_target"]) < 8
    for place, card in enumerate(hand):
        if card["type"] == "minion" and room and card["cost"] <= state["player_mana"]:
            return 1, place
    for number, minion in enumerate(state["player_target"]):
        if number > len(done) and minion["turns_in_play"]:
            done.append(number)
            return 3, (number, 0)
    done.clear()
    return 4, None


def end(victory):
    print("at the end", victory)


done = []
"""
COUNTING = """
import os

from . import shared


def start():
    shared.asked += 1
    print("asked", shared.asked)


def play(state):
    from .late import word

    shared.asked += 1
    if shared.asked == 2:
        print(word, os.path.exists("note.txt"))
    return 4, None


def end(victory):
    pass
"""
FAILING = """
def start():
    pass


def play(state):
    return state["player_mane"]


def end(victory):
    raise RuntimeError("at the end too")
"""
LOOP = """
def communicate(pipe, stdin, *more):
    while pipe.poll():
        packet = pipe.recv()
        pipe.send((int(stdin.readline()), None) if packet["action"] == "play" else None)
"""

PASSING = """
def start():
    pass


def play(state):
    shots = [place for place, card in enumerate(state["player_hand"]) if card["id"] == 3]
    return (1, shots[0]) if state["player_health"] == 2 and shots else (4, None)


def end(victory):
    print("told", victory)
"""
PRINTING = """
import os


def play(state):
    print(os.getpid())
    return 4, None
"""


def settle(folder):
    """Write agents to a folder: modules `face`, `failing`, `loop`, `team.agent`."""
    for name, text in (("face", FACE), ("failing", FAILING), ("loop", LOOP)):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    team = folder / "team"
    team.mkdir()
    (team / "__init__.py").touch()
    (team / "shared.py").write_text("asked = 0\n")
    (team / "late.py").write_text("word = 'reads'\n")
    (team / "note.txt").touch()
    (team / "agent.py").write_text(COUNTING, encoding="utf-8")


def duel(run, one, two, *more):
    return run("paradise", "--agent1", one, "--agent2", two, "--seed", "s", *more)


def plies(path):
    """The actions, by whom, and the draws."""
    record = read_record(Path(path).read_bytes())
    return [(line.get("player"), line["action"]) for line in record.plies]
