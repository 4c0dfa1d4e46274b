"""Vampires vs Werewolves against the plain oracle: random games, orders and battles."""

import random
from fractions import Fraction

import numpy as np
import pytest
from games.kernels import draws
from games.vampires.maps import ALL
from games.vampires.oracle import Oracle, distribution, winning_chance
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.core.interface import (
    CHANCE,
    OVER,
    accepts,
    chances,
    expand,
    legal,
    mover,
    observe,
    pick,
    play,
    properties,
    returns,
    start,
)
from joute.core.random import generator
from joute.core.registry import make
from joute.games.vampires.battle import battle_cell, odds
from joute.games.vampires.map import read_map
from joute.games.vampires.order import OrderError, actions, check, moves_of
from joute.games.vampires.state import DONE, WON, place_of

KINDS = ("H", 0, 1)


def pair(text, plies=40, wrap=False):
    """The game and its oracle."""
    chart = read_map(text)
    game = make("vampires", map=text, plies=plies, wrap_counts=wrap)
    starts = (chart.vampires, chart.werewolves)
    return game, Oracle(chart.rows, chart.columns, chart.humans, starts, plies, wrap)


def board(game, state):
    """The board as the oracle keeps it."""
    return {
        (x, y): [KINDS[index], counts[index]]
        for x, y, *counts in observe(game, state, 0)["cells"]
        for index in range(3)
        if counts[index]
    }


def random_order(oracle, rng):
    """A legal order, moves doubled and in any sequence."""
    own = [cell for cell, held in oracle.board.items() if held[0] == oracle.player()]
    order, targets = [], set()
    for x, y in rng.sample(own, rng.randint(1, len(own))):
        near = [
            (x + a, y + b)
            for a in (-1, 0, 1)
            for b in (-1, 0, 1)
            if (a, b) != (0, 0) and 0 <= x + a < oracle.columns and 0 <= y + b < oracle.rows
        ]
        sources = {(a, b) for a, b, _, _, _ in order}
        near = [cell for cell in near if cell not in sources]
        left = oracle.board[x, y][1]
        while left and near and (x, y) not in targets and rng.random() < 0.8:
            count = rng.choice([left, rng.randint(1, left)])
            x2, y2 = rng.choice(near)
            if sum(move[2] for move in order if move[3:] == (x2, y2)) + count > 255:
                break
            order.append((x, y, count, x2, y2))
            targets.add((x2, y2))
            left -= count
    rng.shuffle(order)
    return order


def fight(game, state, oracle, order, rng):
    """Choose the result of every battle, of those listed; the results by cell."""
    out, weights = [0] * 1024, [0.0] * 1024
    results = {}
    for x, y in oracle.battles(order):
        assert mover(game, state) == CHANCE
        assert place_of(game, battle_cell(state)) == (x, y)
        attackers, (kind, defenders) = oracle.targets(order)[x, y], oracle.board[x, y]
        assert odds(game, state)[:2] == (attackers, defenders)
        count = chances(game, state, out, weights)
        exact = distribution(attackers, defenders, kind == "H")
        assert {(outcome >= WON, outcome % WON) for outcome in out[:count]} == set(exact)
        outcome = rng.choice([*rng.choices(out[:count], weights[:count]), rng.choice(out[:count])])
        play(game, state, outcome)
        results[x, y] = (oracle.player() if outcome >= WON else kind, outcome % WON)
    return results


def follow(game, oracle, rng):
    """Play one random game of both, passes of the clock included, comparing everything."""
    state = start(game).tolist()
    while oracle.winner() is None:
        assert mover(game, state) == oracle.player()
        order = random_order(oracle, rng) if rng.random() < 0.95 else []
        if not order:
            play(game, state, DONE)
            oracle.skip()
        else:
            assert oracle.broken(order) == set()
            assert check(game, state, order) is None
            for action in expand(game, state, [list(move) for move in order]):
                out = [0] * properties(game).max_legal
                assert action in out[: legal(game, state, out)]
                play(game, state, action)
            oracle.play(order, fight(game, state, oracle, order, rng))
        assert board(game, state) == oracle.board
        assert observe(game, state, 0)["counts"] == [oracle.total(0), oracle.total(1)]
    assert mover(game, state) == OVER
    values = [0.0, 0.0]
    returns(game, state, values)
    assert values == {0: [1.0, -1.0], 1: [-1.0, 1.0], "draw": [0.0, 0.0]}[oracle.winner()]


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_random_games_agree_with_the_oracle(name, wrap):
    rng = random.Random(f"{name} {wrap}")
    for _ in range(3):
        follow(*pair(ALL[name], wrap=wrap), rng)


@pytest.mark.thorough
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("name", ["", *ALL])
def test_hundreds_of_random_games_agree_with_the_oracle(name, wrap):
    from joute.games.vampires.map import write_map
    from joute.games.vampires.rules import SYMMETRIC

    rng = random.Random(f"many {name} {wrap}")
    for _ in range(60):
        follow(*pair(ALL.get(name) or write_map(SYMMETRIC), 100, wrap), rng)


def test_any_order_is_refused_exactly_when_the_oracle_refuses_it():
    rng = random.Random(1)
    refused = set()
    for name in 4 * ["field", "crowd", "crowd", "random"]:
        game, oracle = pair(ALL[name])
        state = start(game).tolist()
        while oracle.winner() is None:
            order = random_order(oracle, rng)
            if not order:
                break
            for _ in range(6):
                wrong = [list(move) for move in order]
                for _ in range(rng.choice([1, 1, 2, 3])):
                    mutate(wrong, oracle, rng)
                broken = check(game, state, wrong)
                rules = oracle.broken(wrong)
                assert (broken.rule if broken else None) == min(rules, default=None)
                if broken:
                    refused.add(broken.rule)
                    with pytest.raises(OrderError):
                        expand(game, state, wrong)
            for action in actions(game, order):
                play(game, state, action)
            oracle.play(order, fight(game, state, oracle, order, rng))
    assert refused >= {1, 2, 3, 4, 5, 6}


def mutate(order, oracle, rng):
    """Change something of an order that often makes it illegal."""
    what = rng.randrange(8)
    own = [cell for cell, held in oracle.board.items() if held[0] == oracle.player()]
    if what == 0 or not order:
        order.clear()
    elif what == 6:
        order.extend([x, y, 1, x + 1, y] for x, y in own if (x + 1, y) in own)
    elif what == 7:
        order.extend([x, y, oracle.board[x, y][1], *own[0]] for x, y in own)
    elif what == 1:
        order.append(list(rng.choice(order)))
    elif what == 2:
        order.extend([list(rng.choice(order)) for _ in range(rng.choice([1, 250]))])
    elif what == 3:
        rng.choice(order)[2] = rng.choice([0, -1, 1, 2, 200, 255, 256])
    else:
        move = rng.choice(order)
        move[rng.choice([0, 1, 3, 4])] += rng.choice([-1, 1, 2])


# The same order, offered as small choices.


@given(seed=st.integers(0, 2**32), name=st.sampled_from(sorted(ALL)))
@settings(max_examples=60, derandomize=True)
def test_small_choices_make_legal_orders_and_no_order_twice(seed, name):
    game, oracle = pair(ALL[name])
    state, rng = start(game).tolist(), generator(seed)
    out = [0] * properties(game).max_legal
    chosen = []
    while not chosen or chosen[-1] != DONE:
        choices = out[: legal(game, state, out)]
        around = {near + step for near in [0, *choices] for step in (-2048, -256, -1, 0, 1, 256)}
        assert [each for each in sorted(around) if accepts(game, state, each)] == choices
        chosen.append(pick(game, state, out, rng))
        play(game, state, chosen[-1])
    moves = [tuple(move) for move in moves_of(game, chosen)]
    assert oracle.broken(moves) == set()
    assert actions(game, moves) == chosen
    assert actions(game, moves[::-1]) == chosen


# Exact distributions.


def battle(attackers, defenders, humans):
    """A game and a state in which this battle is fought."""
    if humans:
        text = f'<Map Rows="1" Columns="4"><Humans X="1" Y="0" Count="{defenders}"/>'
        text += '<Werewolves X="3" Y="0" Count="1"/>'
    else:
        text = f'<Map Rows="1" Columns="2"><Werewolves X="1" Y="0" Count="{defenders}"/>'
    game = make("vampires", map=f'{text}<Vampires X="0" Y="0" Count="{attackers}"/></Map>')
    state = start(game).tolist()
    for action in expand(game, state, [[0, 0, attackers, 1, 0]]):
        play(game, state, action)
    return game, state


SIZES = [(1, 1), (1, 2), (2, 2), (5, 10), (10, 10), (12, 10), (14, 10), (3, 40), (29, 20), (1, 255)]
SIZES += [(255, 255), (254, 255), (255, 171), (60, 50)]
BATTLES = [(a, d, humans) for a, d in SIZES for humans in (True, False) if not humans or a < d]


@pytest.mark.parametrize(("attackers", "defenders", "humans"), BATTLES)
def test_chances_are_the_exact_binomials(attackers, defenders, humans):
    game, state = battle(attackers, defenders, humans)
    assert mover(game, state) == CHANCE
    out, weights = [0] * 1024, [0.0] * 1024
    count = chances(game, state, out, weights)
    assert out[:count] == sorted(out[:count])
    exact = distribution(attackers, defenders, humans)
    found = dict(zip(out[:count], weights[:count], strict=True))
    assert len(found) == len(exact)
    for (won, survivors), probability in exact.items():
        weight = found[survivors + WON * won]
        assert weight == pytest.approx(float(probability), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(
    ("attackers", "defenders", "humans", "won", "when_won", "when_lost"),
    [
        (12, 10, False, 0.698, 8.41, 3.01),
        (8, 10, True, 0.408, 7.18, 6.01),
        (10, 10, False, 0.502, None, None),
        (5, 10, False, 0.247, None, None),
    ],
)
def test_the_official_server_draws_alike(attackers, defenders, humans, won, when_won, when_lost):
    exact = distribution(attackers, defenders, humans)
    p = sum(weight for (win, _), weight in exact.items() if win)
    assert p == winning_chance(attackers, defenders)
    assert abs(float(p) - won) < 0.01
    for side, mean in ((True, when_won), (False, when_lost)):
        if mean is not None:
            total = sum(weight * n for (win, n), weight in exact.items() if win == side)
            assert abs(float(total / (p if side else 1 - p)) - mean) < 0.05


def test_a_sure_result_needs_no_battle():
    for attackers, defenders, humans in [(10, 10, True), (15, 10, False), (5, 3, False)]:
        game, state = battle(attackers, defenders, humans)
        assert mover(game, state) != CHANCE
    game, state = battle(14, 10, False)
    assert mover(game, state) == CHANCE
    assert Fraction(14, 10) - Fraction(1, 2) == winning_chance(14, 10)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("attackers", "defenders", "humans"),
    [(8, 10, True), (12, 10, False), (10, 10, False), (5, 10, False), (70, 60, False)],
)
def test_a_million_draws_have_the_exact_distribution(attackers, defenders, humans):
    game, state = battle(attackers, defenders, humans)
    seen = np.zeros(1024, np.int64)
    rng, count = generator(1000 * attackers + defenders), 1_000_000
    draws(
        game, np.array(state, np.int16), count, rng, seen, np.zeros(1024, np.int32), np.zeros(1024)
    )
    expected = np.zeros(1024)
    for (won, survivors), probability in distribution(attackers, defenders, humans).items():
        expected[survivors + WON * won] = float(count * probability)
    assert seen[expected == 0].sum() == 0
    common = expected >= 10
    observed = np.append(seen[common], seen[~common].sum())
    wanted = np.append(expected[common], expected[~common].sum())
    if wanted[-1] < 5:
        observed, wanted = observed[:-1], wanted[:-1]
    chi_square = float(((observed - wanted) ** 2 / wanted).sum())
    freedom = len(wanted) - 1
    # Wilson and Hilferty: a deviate above 4 comes once in 30,000 tests.
    deviate = ((chi_square / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) * (9 * freedom / 2) ** 0.5
    assert abs(deviate) < 4


# All orders of a position.


def offered(game, state, found, chosen=()):
    """Every order that small choices offer, as the sets of its moves."""
    out = [0] * properties(game).max_legal
    for action in out[: legal(game, state, out)]:
        if action == DONE:
            found.append(frozenset(map(tuple, moves_of(game, chosen))))
            continue
        after = state.copy()
        play(game, after, action)
        offered(game, after, found, (*chosen, action))


def every_order(oracle):
    """Every legal order, by trying all counts on all pairs of neighbours."""
    pairs = [
        (x, y, x + a, y + b)
        for (x, y), (kind, _) in oracle.board.items()
        if kind == oracle.player()
        for a in (-1, 0, 1)
        for b in (-1, 0, 1)
    ]
    orders = [[]]
    for x, y, x2, y2 in pairs:
        counts = range(oracle.board[x, y][1] + 1)
        orders = [
            [*order, (x, y, count, x2, y2)] if count else order
            for order in orders
            for count in counts
            if not count or not oracle.broken([*order, (x, y, count, x2, y2)])
        ]
    return [frozenset(order) for order in orders if order]


@pytest.mark.parametrize("name", ["pair", "line", "small"])
def test_small_choices_offer_every_order_and_none_twice(name):
    rng = random.Random(name)
    compared = 0
    for _ in range(4):
        game, oracle = pair(ALL[name], plies=8)
        state = start(game).tolist()
        while oracle.winner() is None and (order := random_order(oracle, rng)):
            found = []
            offered(game, state, found)
            assert len(found) == len(set(found))
            assert set(found) == set(every_order(oracle))
            compared += len(found)
            for action in actions(game, order):
                play(game, state, action)
            oracle.play(order, fight(game, state, oracle, order, rng))
    assert compared > 10
