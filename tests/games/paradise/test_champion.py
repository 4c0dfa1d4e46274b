"""Paradise's champion: the learned value, turns played on in drawn worlds, and what it plays."""

import numpy as np
import pytest
from games.paradise.tables import GAME, choices, table

from joute.bots import BuiltinError, Seating, peeks
from joute.bots import make as make_bot
from joute.core.interface import CHANCE, OVER, determinize, mover, play, points, start
from joute.core.random import generator
from joute.core.registry import make as make_game
from joute.games.paradise.players import champion as paradise_champion
from joute.games.paradise.players import peek
from joute.games.paradise.players.champion import make
from joute.games.paradise.players.value import learned, value
from joute.games.paradise.state import DEAD, DECK, DESTROYED, END, HAND, HERO, block
from joute.search.evaluation import evaluate
from joute.search.replies import MOST_ENDS, Replies
from joute.search.whole_turns import WholeTurns

LETHAL = table([["arcane shot", "mole"], []], [["raptor", "ultrasaur"], ["mole"]], mana=3)
LETHAL[block(1) + HERO] = 12
QUIET = table(
    [["mole", "raptor", "arcane shot"], ["wolf", "fireball"]],
    [["raptor", "zwolf"], ["cobra", "mole"]],
    mana=4,
)
SHOT = table([["deadly shot"], ["wolf"]], [["mole"], ["ultrasaur"]], mana=3)


def champion(**options):
    return make(Seating(GAME, 0, 1, 1.0), **options)


def worth(state, player=0):
    return evaluate(value(*learned()), GAME, state, player)


def search(state, **budget):
    return Replies(GAME, value(*learned()), 2000, 50, 1, seed=1).search(
        np.array(state, np.int16), **budget
    )


def test_the_value_is_within_what_a_game_returns():
    over = QUIET.copy()
    over[DEAD] = 2
    assert [worth(over), worth(over, 1)] == [1.0, -1.0]
    assert -1 < worth(QUIET) < 1


def test_the_value_grows_with_health_and_minions():
    hurt, alone = QUIET.copy(), table(boards=([], ["cobra", "mole"]))
    hurt[block(0) + HERO] -= 12
    assert worth(hurt) < worth(QUIET)
    assert worth(alone) < worth(QUIET)
    assert worth(QUIET, 1) < worth(hurt, 1)


def exchanged(player):
    """A player has another card in the hand, and the one from there in the deck."""
    state = QUIET.copy()
    own = block(player)
    state[own + DECK + state[own + HAND]] += 1
    state[own + DECK + 14] -= 1
    state[own + HAND] = 14
    return state


def test_the_value_knows_ones_own_hand_only():
    assert worth(exchanged(1)) == worth(QUIET)
    assert worth(exchanged(0)) != worth(QUIET)


@pytest.mark.parametrize("player", [0, 1])
def test_the_value_knows_which_cards_are_gone_but_not_which_were_destroyed(player):
    gone, destroyed = QUIET.copy(), QUIET.copy()
    for state in (gone, destroyed):
        state[block(player) + DECK + 14] -= 1
    destroyed[block(player) + DESTROYED + 14] += 1
    assert worth(gone) != worth(QUIET)
    assert worth(destroyed) == worth(QUIET)


def test_without_worlds_it_is_the_whole_turn_of_the_highest_value():
    turns = WholeTurns(GAME, start(GAME), value(*learned()), 2000)
    expected, found = turns.search(np.array(QUIET, np.int16)), search(QUIET)
    assert (found.value, found.positions, found.worlds) == (expected.value, expected.positions, 0)


@pytest.mark.parametrize("state", [QUIET, SHOT])
def test_its_turn_is_legal_up_to_the_end_or_to_chance(state):
    found, after = search(state, worlds=4), state.copy()
    for action in found.actions:
        assert mover(GAME, after) == 0
        assert action in choices(after)
        play(GAME, after, action)
    assert mover(GAME, after) == CHANCE
    assert found.worlds > 0


def test_what_is_hidden_makes_no_difference():
    results = []
    for seed in range(3):
        state = QUIET.copy()
        determinize(GAME, state, 0, generator(seed))
        results.append(search(state, worlds=4))
    assert results[0] == results[1] == results[2]


def test_only_a_player_that_peeks_is_told_by_what_is_hidden():
    values = {}
    for name in ("peek", "champion"):
        values[name] = set()
        for seed in range(3):
            state = np.array(QUIET, np.int16)
            determinize(GAME, state, 0, generator(seed))
            bot = make_bot(name, {"worlds": "4"}, Seating(GAME, 0, 1, 1.0), study=True)
            values[name].add(bot.play(state).value)
    assert (len(values["champion"]), len(values["peek"])) == (1, 3)
    assert peeks("peek") and not peeks("champion")


def test_more_time_means_more_worlds():
    assert search(QUIET, seconds=0.0).worlds == 0
    few, many = search(QUIET, worlds=3), search(QUIET, worlds=12)
    assert 3 < few.worlds < many.worlds
    assert search(QUIET, seconds=0.2).worlds > 0


def test_the_prior_is_how_many_worlds_the_value_of_an_end_counts_for():
    def found(prior, worlds):
        turns = Replies(GAME, value(*learned()), 2000, 50, 1, seed=1, prior=prior)
        return turns.search(np.array(QUIET, np.int16), worlds=worlds)

    before, mean = found(0.0, 0), found(0.0, 4)
    assert found(1e9, 4).actions == before.actions
    assert found(1e9, 4).value == pytest.approx(before.value)
    assert found(1e-9, 4).value == pytest.approx(mean.value)


def test_ends_that_are_played_on_have_different_worths():
    twice = table([["wolf", "raptor"], []], [["mole"], ["cobra"]], mana=4)
    search = Replies(GAME, value(*learned()), 2000, 50, 1, seed=1)
    found = search.search(np.array(twice, np.int16), worlds=0)
    worths = search._worths[: found.ends]
    assert 1 < found.ends <= MOST_ENDS
    assert np.all(np.diff(worths) < 0)


def test_worlds_do_not_depend_on_each_other():
    # Each world is drawn by a generator of its own, not by one that is a draw behind the next.
    hands = []
    search = Replies(GAME, value(*learned()), 2000, 50, 1, seed=1)
    for _ in range(200):
        world = QUIET.copy()
        determinize(GAME, world, 0, search.world())
        hands.append(world[block(1) + HAND : block(1) + HAND + 2])
    first, second = np.array(hands)[:-1, 1], np.array(hands)[1:, 0]
    assert np.mean(first == second) < 0.3


def test_a_turn_that_wins_is_taken():
    state, bot = np.array(LETHAL, np.int16), champion(worlds=2)
    while mover(GAME, state) == 0:
        play(GAME, state, bot.play(state).action)
    assert mover(GAME, state) == OVER
    assert points(GAME, state, 1) == 0


def test_a_turn_is_played_as_it_was_planned():
    state, bot = np.array(QUIET, np.int16), champion(worlds=2)
    first = bot.play(state)
    played = []
    while mover(GAME, state) == 0:
        played.append(bot.play(state).action)
        play(GAME, state, played[-1])
    assert tuple(played) == first.line
    assert played[-1] == END
    assert first.message.endswith(" worlds")
    assert -1 < first.value < 1


def test_what_a_turn_needs_is_compiled_when_the_bot_is_made(monkeypatch):
    found, look = [], Replies.search

    def spied(*told, **budget):
        found.append(look(*told, **budget))
        return found[-1]

    monkeypatch.setattr(Replies, "search", spied)
    paradise_champion._get_ready.cache_clear()
    for _ in range(2):
        champion(worlds=2)
    assert [(each.ends > 1, each.worlds > 0) for each in found] == [(True, True)]


@pytest.mark.parametrize(("seconds", "turns"), [(0.05, 2), (0.04, 1)])
def test_in_a_hurry_worlds_are_played_on_for_one_turn(seconds, turns, monkeypatch):
    made = []
    monkeypatch.setattr(paradise_champion, "Replies", lambda *told, **_: made.append(told))
    monkeypatch.setattr(paradise_champion, "_get_ready", lambda game: None)
    champion(seconds=seconds)
    assert [told[4] for told in made] == [turns]


def test_the_champion_of_each_game_has_one_name():
    table_of = Seating(GAME, 0, 1, 1.0)
    assert type(make_bot("champion", {}, table_of)) is type(make(table_of))
    assert type(make_bot("champion", {"seconds": "0.01"}, table_of)) is type(make(table_of))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"seconds": -1.0}, "must not be below 0"),
        ({"worlds": 2, "seconds": 0.1}, "not both"),
    ],
)
def test_options_out_of_range_are_refused(options, reason):
    with pytest.raises(BuiltinError, match=reason):
        champion(**options)


@pytest.mark.game("virus")
def test_a_player_that_peeks_plays_no_other_game():
    with pytest.raises(BuiltinError, match="paradise"):
        peek.make(Seating(make_game("virus", size=3), 0, 1, 1.0))


def test_it_plays_no_other_game():
    with pytest.raises(BuiltinError, match="plays paradise, not virus"):
        make(Seating(make_game("virus"), 0, 1, 1.0))


def test_a_search_without_positions_is_refused():
    with pytest.raises(ValueError, match="at least one position"):
        Replies(GAME, value(*learned()), 0, 50, 1, seed=1)
