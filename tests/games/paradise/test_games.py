"""Whole games of Paradise: the contest's bots, faults that cost a turn, pairs with equal draws."""

import json
from pathlib import Path

import pytest

from joute.core.interface import stream
from joute.core.registry import make
from joute.host.limits import Limits
from joute.host.names import BotError, parse_bot
from joute.play.chance import Streams
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.referee import play_game
from joute.play.seats import answer, check_bot
from joute.play.verify import verify_record

BOTS = Path(__file__).parents[2] / "bots"


class Spy:
    """A seat that ends every turn, and keeps what it is sent."""

    isolation = "inline"
    observes = True

    def __init__(self):
        self.messages = []

    def start(self, message):
        self.messages.append(message)
        return answer()

    def ask(self, state, message):
        self.messages.append(message)
        return answer("end")

    def end(self, message):
        self.messages.append(message)

    def close(self):
        pass


class OtherDeck(Streams):
    """The streams of a seed, but for the deck of player 1."""

    def __init__(self, seed, other):
        super().__init__(seed)
        self._other = Streams(other)

    def outcome(self, game, state):
        source = self._other if stream(game, state) == "deck 1" else super()
        return source.outcome(game, state)


def game(*bots, quirks=False, seed="7" * 32):
    """The result of a game between these bots, and the lines of its record."""
    spec = GameSpec(
        game="paradise",
        parameters={"quirks": quirks},
        bots=tuple(SeatSpec(name=bot, bot=bot, base=str(BOTS)) for bot in bots),
        seed=seed,
        costs=usual_costs("paradise"),
        limits=Limits(start_seconds=30.0),
    )
    result = play_game(spec)
    return result, [json.loads(line) for line in result.record.decode().splitlines()]


def draws(lines, player):
    """The cards that a player drew, in order."""
    return [line["action"] for line in lines if line.get("stream") == f"deck {player}"]


@pytest.mark.parametrize("quirks", [False, True])
def test_the_contests_bots_play_a_game_to_its_end(quirks):
    result, lines = game("paradise_package", "paradise_loop.py", quirks=quirks)
    assert result.ending == "finished"
    assert result.returns == [1.0, -1.0]
    assert {(each.seat, each.fault, each.cost) for each in result.faults} == {(1, "crash", "turn")}
    assert verify_record(result.record).ok
    assert not any("message" in line for line in lines)


def test_what_cannot_be_played_ends_the_turn_without_a_fault():
    result, lines = game("paradise:paradise_hasty.py", "builtin:random")
    assert [fault for fault in result.faults if fault.seat == 0] == []
    ended = [line for line in lines if "the turn ends" in line.get("message", "")]
    assert ended
    assert {line["text"] for line in ended} == {"end"}


@pytest.mark.game("virus")
def test_a_bot_of_the_contest_is_refused_elsewhere():
    with pytest.raises(BotError, match="plays Paradise, and this game is none"):
        check_bot(parse_bot("paradise:paradise_hasty.py", BOTS), make("virus"))
    check_bot(parse_bot("paradise:paradise_hasty.py", BOTS), make("paradise"))


def test_both_games_of_a_pair_have_the_same_draws():
    _, first = game("builtin:random", "paradise_package")
    _, second = game("paradise_package", "builtin:random")
    for player in (0, 1):
        one, two = draws(first, player), draws(second, player)
        length = min(len(one), len(two))
        assert length > 8
        assert one[:length] == two[:length]
    assert draws(first, 0)[:8] != draws(first, 1)[:8]


def test_what_the_opponent_draws_changes_no_message():
    """Neither plays a card, so hands overflow and are never shown."""
    seed, sent, records = "7" * 32, [], []
    for other in ("8" * 32, "9" * 32):
        spies = [Spy(), Spy()]
        waiting = iter(spies)
        spec = GameSpec(
            game="paradise",
            bots=(SeatSpec(name="a", bot="builtin:random"),) * 2,
            seed=seed,
        )
        result = play_game(
            spec, opener=lambda *_, seats=waiting: next(seats), streams=OtherDeck(seed, other)
        )
        assert result.ending == "finished"
        sent.append([json.dumps(spy.messages) for spy in spies])
        records.append(result.record)
    assert sent[0][0] == sent[1][0]
    assert sent[0][1] != sent[1][1]
    assert "a card is destroyed" in sent[0][0]
    assert records[0] != records[1]
