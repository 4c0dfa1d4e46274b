"""The built-in bots: what they play, and the options that they refuse."""

import numpy as np
import pytest
from games.poker import Poker
from search.plain import actions_of, lead, minimax
from search.positions import position

from joute.bots import BuiltinError, Seating, make, names
from joute.core.registry import make as make_game
from joute.games.virus.rules import VirusGrid
from joute.host.names import parse_bot

pytestmark = pytest.mark.game("virus")


def choose(name, game, state, seed=1, **options):
    """The choice of a bot in a state that it must leave alone."""
    bot = make(name, options, Seating(game, int(state[-2]), seed, 10.0))
    before = state.copy()
    choice = bot.play(state)
    assert np.array_equal(state, before)
    return choice


GENERAL = {
    "alphabeta": {"nodes": "200"},
    "expectimax": {"nodes": "200"},
    "flat": {"simulations": "20"},
    "greedy": {},
    "ismcts": {"simulations": "50"},
    "maxn": {"nodes": "200"},
    "montecarlo": {"simulations": "20"},
    "paranoid": {"nodes": "200"},
    "random": {},
    "uct": {"simulations": "50"},
}
"""The bots of every game, with options that make them reproducible."""


@pytest.mark.parametrize("name", sorted(GENERAL.keys() & {*names()}))
def test_a_bot_plays_legally_and_reproducibly(name):
    options = GENERAL[name]
    for plies in (0, 10, 20):
        game, state = position(5, plies, seed=plies)
        choices = [choose(name, game, state, seed=4, **options) for _ in range(2)]
        assert choices[0] == choices[1]
        assert choices[0].action in actions_of(game, state.tolist())


@pytest.mark.parametrize("name", ["champion", "flat", "ismcts", "uct"])
def test_a_bot_that_counts_its_simulations_looks_at_no_clock(name):
    game, state = position(6, 4, seed=1)
    seats = [Seating(game, int(state[-2]), 1, seconds) for seconds in (1e-3, 1000.0)]
    hurried, patient = (make(name, {"simulations": "3000"}, seat).play(state) for seat in seats)
    assert hurried == patient


@pytest.mark.parametrize("name", sorted(set(names()) - GENERAL.keys() - {"champion"}))
def test_a_bot_of_one_game_refuses_others(name):
    game, state = position(5, 0, seed=1)
    with pytest.raises(BuiltinError, match=f"builtin:{name} "):
        choose(name, game, state)


def test_the_random_bot_plays_every_action():
    game, state = position(5, 6, seed=1)
    played = {choose("random", game, state, seed).action for seed in range(200)}
    assert played == set(actions_of(game, state.tolist()))


@pytest.mark.game("love-letter")
@pytest.mark.parametrize(("by", "share"), [("decision", 1 / 2), ("action", 1 / 10)])
def test_the_random_bot_draws_the_card_before_the_guess_unless_told_otherwise(by, share):
    from games.love_letter.rounds import scene

    from joute.games.love_letter.state import GUARD, PLAYED, PRIEST, SPY

    game, state = scene([GUARD, SPY], PRIEST)  # nine guesses, and one way to play the other card
    state, rounds = np.array(state), 1000
    bots = [make("random", {"by": by}, Seating(game, 0, seed, 1.0)) for seed in range(rounds)]
    priests = sum(bot.play(state).action // PLAYED == PRIEST for bot in bots)
    assert abs(priests / rounds - share) < 5 * (share * (1 - share) / rounds) ** 0.5


def test_a_way_to_draw_that_there_is_not_is_refused():
    game, state = position(5, 6, seed=1)
    with pytest.raises(BuiltinError, match="by must be one of decision, action, got 'card'"):
        choose("random", game, state, by="card")


def test_the_greedy_bot_plays_each_action_with_the_best_lead():
    game, state = position(6, 14, seed=1)
    value, values = minimax(game, state.tolist(), 1, lead)
    best = {action for action, each in values.items() if each == value}
    assert {choose("greedy", game, state, seed).action for seed in range(60)} == best
    assert choose("greedy", game, state).message == f"leads by {value:.0f}"


@pytest.mark.parametrize("evaluation", ["lead", "hand", "fitted"])
def test_alpha_beta_says_what_it_found(evaluation):
    game, state = position(6, 14, seed=1)
    choice = choose("alphabeta", game, state, depth="3", evaluation=evaluation)
    assert "at depth 3" in choice.message
    assert choice.message.endswith("nodes")


def test_a_solved_position_is_said_to_be():
    game, state = position(3, 3, seed=1)
    assert choose("alphabeta", game, state, nodes="100000").message.endswith("solved")


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("builtin:alphabeto", None, "no built-in bot 'alphabeto'.*did you mean 'alphabeta'"),
        pytest.param(
            "builtin:curve?x=1",
            None,
            r"no option 'x' \(there are: none\)",
            marks=pytest.mark.game("paradise"),
        ),
        ("builtin:alphabeta?second=1", None, "did you mean 'seconds'"),
        ("builtin:alphabeta?nodes=many", None, "nodes: expected a whole number, got 'many'"),
        ("builtin:alphabeta?nodes=-1", None, "must be above 0"),
        (f"builtin:alphabeta?nodes={10**20}", None, f"nodes: {10**20} is too large a number"),
        ("builtin:alphabeta?seconds=inf", None, "seconds: inf is too large a number"),
        ("builtin:alphabeta?depth=0", None, r"depth in 1\.\.96"),
        ("builtin:alphabeta?evaluation=mine", None, "there are: lead, hand, fitted, learned"),
        ("builtin:alphabeta?evaluation=hand", VirusGrid(12), r"there are: lead\)"),
        ("builtin:alphabeta", Poker(), "zero-sum games for two, poker is not one"),
        ("builtin:greedy", Poker(), "hidden information"),
        ("builtin:nearest?stray=-1", "vampires", r"stray must be in 0\.\.1, got -1"),
        ("builtin:greedy?stray=2", None, r"stray must be in 0\.\.1, got 2"),
    ],
)
def test_a_bot_that_cannot_be_made_is_refused_with_a_sentence(text, game, words):
    game = make_game(game) if isinstance(game, str) else game or position(10, 0, 0)[0]
    with pytest.raises(ValueError, match=words):
        spec = parse_bot(text)
        make(spec.name, spec.options, Seating(game, 0, 0, 10.0))
    assert issubclass(BuiltinError, ValueError)
