"""Mistakes of users of games and of bots, said in their language."""

import pytest
from games.mistakes import check
from games.poker import Poker
from games.samples import samples

from joute.core.interface import play, start
from joute.core.registry import make
from joute.host.names import parse_bot
from joute.host.sandbox import grants
from joute.play.advice import explain
from joute.play.record import read_record

MISTAKES = {
    "no game": lambda: make("virsu"),
    "no file of a game": lambda: make("./absent.py"),
    **{
        f"{name}: {wrong}": mistake
        for name, each in samples().items()
        for wrong, mistake in each.MISTAKES.items()
    },
}
NAMES = (
    "", "\udcff", "hosted:greedy", "builtin:", "builtin:greedy?stray", "builtin:greedy?a=1&a=2",
    "absent.py", "gredy:absent", "greedy", "program:", "program:'", "program:absent-program", "/",
    "hx2:/", "hx2:/etc/passwd", "/etc/passwd", "program:/etc/passwd", "a\0b", "~nobody-here/x",
)  # fmt: skip
RECORDS = (b"", b"{}", b"{}\n", b'{"a":1,"chain":"' + b"0" * 32 + b'"}\n')


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_wrong_with_a_game_or_a_bot_of_ours_is_said_in_french(mistake):
    check(MISTAKES[mistake])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_wrong_with_a_bots_name_is_said_in_french(name):
    check(lambda: parse_bot(name))


def test_what_cannot_be_explained_is_said_in_french():
    game = Poker()
    check(lambda: explain(game, start(game), parse_bot("human"), 1.0))
    state = start(game).tolist()
    play(game, state, 0)
    check(lambda: explain(game, state, parse_bot("human"), 1.0))


def test_a_level_of_isolation_that_is_none_is_said_in_french(monkeypatch):
    monkeypatch.setenv(grants.VARIABLE, "strict")
    check(grants.granted)


@pytest.mark.parametrize("content", RECORDS)
def test_what_is_wrong_with_a_record_is_said_in_french(content):
    check(lambda: read_record(content))
