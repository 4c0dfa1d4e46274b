"""Programs that have the same tokens are alike, whatever they call things."""

from joute.contest.similarity import alike, fingerprints, shared_lines, similarity

ONE = '''
"""A bot."""
import random

def value(board, player):
    """The number of cells."""
    total = 0
    for row in board:
        for cell in row:
            if cell == player:
                total += 1
            elif cell != 0:
                total -= 1
    return total

def play(observation, clock):
    best, chosen = -1000, None
    for action in observation["legal"]:
        worth = value(observation["cells"], observation["player"]) + random.random()
        if worth > best:
            best, chosen = worth, action
    return chosen
'''
RENAMED = (
    ONE.replace("total", "n")
    .replace("value", "count")
    .replace("board", "grid")
    .replace("worth", "w")
    .replace("-1000", "-99")
    .replace('"""A bot."""', "# my own work, honestly")
    .replace("    ", "\t")
    .replace("\n\n", "\n\n\n")
    .replace('"""The number of cells."""', '"""Mine."""')
)
OTHER = """
from collections import deque

class Bot:
    def __init__(self, seat, parameters):
        self.seat = seat
        self.memory = {}

    def play(self, observation, clock):
        queue = deque([(observation["here"], None)])
        seen = set()
        while queue:
            place, first = queue.popleft()
            if place in seen or place in self.memory:
                continue
            seen.add(place)
            for number, step in enumerate(self.steps(place)):
                queue.append((step, number if first is None else first))
        return sorted(observation["legal"], key=lambda each: len(str(each)))[0]
"""


def test_names_comments_numbers_and_layout_make_no_difference():
    assert similarity(fingerprints(ONE), fingerprints(RENAMED)) == 1.0


def test_programs_of_ones_own_are_not_alike():
    assert similarity(fingerprints(ONE), fingerprints(OTHER)) < 0.1


def test_a_part_that_was_copied_shows_on_its_lines():
    part = ONE[ONE.index("def value") : ONE.index("def play")]
    mixed = fingerprints(OTHER + part)
    found = shared_lines(mixed, fingerprints(ONE))
    first = OTHER.count("\n") + 1
    assert first in found and max(found) <= first + part.count("\n") and first - 3 not in found


def test_what_all_were_given_is_no_likeness():
    given = fingerprints(ONE)
    own = [fingerprints(ONE + OTHER).without(given.lines), fingerprints(ONE).without(given.lines)]
    assert similarity(*own) == 0.0


def test_a_program_too_short_to_tell_is_like_no_other():
    short = fingerprints("def play(observation, clock):\n    return observation['legal'][0]\n")
    assert similarity(short, short) == 0.0


def test_what_stands_before_an_error_is_compared():
    broken = fingerprints(ONE + "\ndef wrong(:\n    '''")
    assert similarity(broken, fingerprints(RENAMED)) > 0.9


def test_pairs_come_with_the_most_alike_first():
    half = ONE[: ONE.index("def play")] + OTHER
    programs = [fingerprints(each) for each in (OTHER, ONE, RENAMED, half)]
    found = alike(programs, 0.3)
    assert [(each.one, each.other) for each in found[:2]] == [(0, 3), (1, 2)]
    assert all(each.share == 1.0 for each in found[:2]) and (0, 1) not in {
        (each.one, each.other) for each in found
    }
