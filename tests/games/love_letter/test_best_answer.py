"""The exact best answer to players as they are known: what a slower, plainer search finds."""

from collections import defaultdict

import numpy as np
import pytest
from games.love_letter.rounds import HABITS, legal_actions, play_number, scene, turn
from games.pennies import Pennies
from games.poker import Poker
from search.positions import position

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    legal,
    mover,
    play,
    properties,
    returns,
    seen,
)
from joute.core.random import generator
from joute.games.love_letter.players import outlook as love_letter_outlook
from joute.games.love_letter.players.outlook import Endgame, outlook
from joute.games.love_letter.players.policies import MODELS, chosen
from joute.games.love_letter.players.shares import shares
from joute.games.love_letter.state import (
    BARON,
    CARDS,
    CHANCELLOR,
    COUNTESS,
    ENDED,
    GUARD,
    HANDMAID,
    HANDS,
    KING,
    KNOWN,
    PHASE,
    POOL,
    PRIEST,
    PRINCE,
    PRINCESS,
    RANDOM,
    SPY,
)
from joute.search import best_answer
from joute.search.best_answer import BestAnswer, answers, world
from joute.search.ismcts_search import Ismcts

SCENES = {
    "the last card": ([GUARD, BARON], PRIEST, [KING], HANDMAID),
    "two cards": ([GUARD, BARON], PRINCE, [KING, SPY], HANDMAID),
    "a Chancellor": ([CHANCELLOR, BARON], SPY, [KING], HANDMAID),
    "a Princess": ([PRINCE, PRINCESS], COUNTESS, [GUARD, GUARD], SPY),
}


def known(game, seed=1):
    """The policy expected of opponents: any, but not the same of each model and hand."""
    expected = outlook(game)
    likely = np.random.default_rng(seed).random(expected.likelihoods.shape)
    expected.likelihoods[:] = likely
    expected.hands[:] = likely.sum(axis=0)
    return expected


def ready(name):
    hands, drawn, deck, aside = SCENES[name]
    game, state = scene(hands, drawn, deck=deck, aside=aside)
    return game, np.array(state, np.int16)


def leads_to(game, horizon, models, state, observer):
    """All that may follow until the observer is to move: [its sights, probability, state]."""
    if mover(game, state) == OVER or mover(game, state) == observer:
        return [((), 1.0, state)]
    out, weights = [0] * properties(game).max_legal, [0.0] * properties(game).max_legal
    horizon.models[:] = models
    if mover(game, state) == CHANCE:
        count = chances(game, state, out, weights)
    else:
        count = legal(game, state, out)
        assert answers(horizon, game, state, observer, out, count, weights)
    found = []
    for action, weight in zip(out[:count], weights[:count], strict=True):
        if weight > 0:
            after, sight = list(state), seen(game, state, observer, action)
            play(game, after, action)
            for sights, chance, end in leads_to(game, horizon, models, after, observer):
                found.append(((sight, *sights), weight * chance, end))
    return found


def plain(game, horizon, worlds, observer):
    """The sum of the returns that each action brings, over worlds [likelihood, models, state]."""
    found = {}
    for action in legal_actions(game, worlds[0][2]):
        groups, total = defaultdict(list), 0.0
        for likelihood, models, state in worlds:
            sight, after = seen(game, state, observer, action), list(state)
            play(game, after, action)
            for sights, chance, end in leads_to(game, horizon, models, after, observer):
                if mover(game, end) == OVER:
                    out = [0.0] * game.players
                    returns(game, end, out)
                    total += likelihood * chance * out[observer]
                else:
                    groups[sight, sights].append((likelihood * chance, models, end))
        for group in groups.values():
            total += max(plain(game, horizon, group, observer).values())
        found[action] = total
    return found


def all_worlds(game, horizon, state, observer):
    found, number, out = [], 0, [0] * len(state)
    while (likelihood := world(horizon, game, state.tolist(), observer, number, out)) >= 0:
        if likelihood > 0:
            found.append((likelihood, horizon.models.tolist(), list(out)))
        number += 1
    return found


@pytest.mark.parametrize("name", SCENES)
def test_it_finds_what_a_search_by_what_was_seen_finds(name):
    game, state = ready(name)
    horizon = known(game)
    worlds = all_worlds(game, horizon, state, 0)
    total = sum(likelihood for likelihood, _, _ in worlds)
    expected = {key: value / total for key, value in plain(game, horizon, worlds, 0).items()}
    found = BestAnswer(game, horizon).search(state, 10**6)
    assert dict(zip(found.actions, found.values, strict=True)) == pytest.approx(expected)
    assert found.best == max(expected, key=expected.get)


def test_worlds_are_all_that_may_be_by_copies_and_by_what_is_believed():
    game, state = ready("two cards")
    horizon = known(game)
    found = np.zeros(CARDS)
    for likelihood, models, each in all_worlds(game, horizon, state, 0):
        assert each[HANDS] == GUARD and sum(each[POOL : POOL + CARDS]) == 3
        found[each[HANDS + 1]] += likelihood
        part = horizon.likelihoods[models[1], 1, each[HANDS + 1]]
        assert likelihood == pytest.approx(part)  # one copy of each
    cards = [BARON, KING, SPY, HANDMAID]
    assert np.flatnonzero(found).tolist() == sorted(cards)
    assert found[cards] == pytest.approx(horizon.hands[1, cards])


def test_python_and_compiled_code_find_the_same(monkeypatch):
    game, state = ready("a Chancellor")
    compiled = BestAnswer(game, known(game)).search(state, 10**6)
    monkeypatch.setattr(best_answer, "sweep", best_answer.sweep.function)
    plainly = BestAnswer(game, known(game)).search(state, 10**6)
    assert plainly.values == pytest.approx(compiled.values)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("hands", "drawn", "seen_by"),
    [
        ([GUARD, SPY, KING], PRINCE, 0),
        ([GUARD, SPY, KING], BARON, 0b10),
        ([COUNTESS, SPY, KING], PRINCE, 0),
        ([BARON, SPY, PRINCESS], PRINCE, 0b110),
        ([PRIEST, SPY], PRIEST, 0),
    ],
)
def test_a_model_chooses_as_often_as_it_is_said_to(model, hands, drawn, seen_by):
    game, state = scene(hands, drawn, deck=[GUARD, KING, KING, SPY])
    for other in (1, 2):
        state[KNOWN + other] |= seen_by >> other & 1
    assert_shares(game, state, model)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("drawn", [[SPY, PRINCESS], [BARON, BARON], [SPY]])
def test_a_chancellor_is_used_as_often_as_it_is_said_to_be(model, drawn):
    game, state = scene([CHANCELLOR, SPY], BARON, deck=drawn, aside=KING)
    turn(game, state, play_number(CHANCELLOR), *(("draw", card) for card in drawn))
    assert_shares(game, state, model)


def assert_shares(game, state, model, games=600):
    most = properties(game).max_legal
    out, weights, scratch = [0] * most, [0.0] * most, [0] * most
    count = legal(game, state, out)
    shares(model, HABITS, game, state, out, count, weights, scratch)
    assert sum(weights[:count]) == pytest.approx(1.0)
    counts, rng = dict.fromkeys(out[:count], 0), generator(3)
    for _ in range(games):
        counts[chosen(model, HABITS, game, state, scratch, rng)] += 1
    for action, weight in zip(out[:count], weights[:count], strict=True):
        assert (counts[action] > 0) == (weight > 0)
        assert abs(counts[action] - games * weight) < 4 * (games * weight) ** 0.5 + 1


def test_beyond_its_budget_or_its_room_it_finds_nothing():
    game, state = ready("two cards")
    search = BestAnswer(game, known(game))
    assert search.search(state, 10**6) is not None
    needed = search.nodes
    assert search.search(state, needed) is not None
    assert search.search(state, needed - 5) is None
    assert search.search(state, 100) is None and search.nodes <= 100
    assert BestAnswer(game, known(game), tree_log2=2).search(state, 10**6) is None


def test_where_nothing_explains_what_was_seen_it_finds_nothing():
    game, state = ready("two cards")
    horizon = known(game)
    horizon.likelihoods[:] = 0.0
    assert BestAnswer(game, horizon).search(state, 10**6) is None


def test_near_the_end_of_the_deck_the_champion_searches_exactly_if_time_allows():
    game, state = ready("two cards")
    horizon = known(game)
    search = Endgame(game, horizon, Ismcts(game, 1, horizon=horizon), late=2)
    assert search.search(state, simulations=5000).exact
    assert search.search(state, seconds=0.5).exact
    few = search.search(state, simulations=3)
    assert not few.exact and few.simulations == 3
    assert not search.search(state, seconds=0.0001).exact
    state[RANDOM] = 3
    assert not search.search(state, simulations=5000).exact
    assert love_letter_outlook.LATE == 3


@pytest.mark.game("virus")
def test_without_a_horizon_it_answers_random_players(monkeypatch):
    monkeypatch.setattr(best_answer, "sweep", best_answer.sweep.function)
    game, state = position(3, 3, 1)
    me = int(mover(game, state))

    def value(at):
        player = int(mover(game, at))
        if player == OVER:
            out = [0.0, 0.0]
            returns(game, at, out)
            return out[me]
        values = []
        for action in legal_actions(game, at):
            after = list(at)
            play(game, after, action)
            values.append(value(after))
        return max(values) if player == me else sum(values) / len(values)

    found = BestAnswer(game).search(state, 10**6)
    for action, exact in zip(found.actions, found.values, strict=True):
        after = state.tolist()
        play(game, after, action)
        assert exact == pytest.approx(value(after))


def test_games_that_it_cannot_play_are_refused():
    with pytest.raises(ValueError, match="in pennies they choose at once"):
        BestAnswer(Pennies())
    with pytest.raises(ValueError, match="poker hides something"):
        BestAnswer(Poker())
    game, state = ready("the last card")
    state[PHASE] = ENDED
    with pytest.raises(ValueError, match="none is to move"):
        BestAnswer(game, known(game)).search(state, 10)
