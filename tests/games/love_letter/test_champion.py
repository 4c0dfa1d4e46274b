"""Love Letter's champion: its models of opponents, what it believes, and what it plays."""

import numpy as np
import pytest
from games.love_letter.rounds import HABITS, choice_number, legal_actions, play_number, scene, turn
from games.pennies import Pennies
from search.ismcts_signature import state_after

from joute.bots import BuiltinError, Seating
from joute.bots import make as make_bot
from joute.bots.explain import beliefs, beliefs_of
from joute.core.interface import CHANCE, OVER, draw, mover, play, properties, start
from joute.core.random import generator
from joute.core.registry import make as make_game
from joute.games.love_letter.players.champion import SLIP, Likelihoods, keeping, make
from joute.games.love_letter.players.habits import learned
from joute.games.love_letter.players.outlook import outlook
from joute.games.love_letter.players.policies import (
    BY_DECISION,
    BY_HABITS,
    BY_RULES,
    MODELS,
    chosen,
)
from joute.games.love_letter.state import (
    BARON,
    CARDS,
    CHANCELLOR,
    CHOOSING,
    COUNTESS,
    GUARD,
    HANDMAID,
    HANDS,
    KING,
    KNOWN,
    PHASE,
    PLAYED,
    POOL,
    PRIEST,
    PRINCE,
    PRINCESS,
    SPY,
    STARTING,
    TOKENS,
    WINNERS,
)
from joute.search.ismcts_search import imagine, stops

SEEDS = range(60)
GAME = make_game("love-letter")


def champion(game, player, seed=1, **options):
    return make(Seating(game, player, seed, 1.0), **options)


def without_guess(action):
    return action // 10 * 10 if action < (GUARD + 1) * PLAYED else action


@pytest.mark.parametrize("plies", [6, 8, 10, 11, 13, 15, 17, 19])
def test_the_model_of_the_rules_chooses_as_the_bot_does(plies):
    game = make_game("love-letter", players=3)
    state = state_after(game, plies, plies)
    player = int(mover(game, state))
    out, known = [0] * properties(game).max_legal, state.tolist()
    bots = [make_bot("rules", {}, Seating(game, player, seed, 1.0)) for seed in SEEDS]
    expected = {without_guess(bot.play(state).action) for bot in bots}
    assert expected == {
        without_guess(chosen(BY_RULES, HABITS, game, known, out, generator(seed))) for seed in SEEDS
    }


@pytest.mark.parametrize("model", MODELS)
def test_every_model_chooses_what_is_legal(model):
    for hands, drawn in [
        ([GUARD, SPY, KING], PRINCE),
        ([COUNTESS, SPY, KING], PRINCE),
        ([CHANCELLOR, SPY, KING], HANDMAID),
        ([BARON, SPY, KING], PRIEST),
    ]:
        game, state = scene(hands, drawn)
        out = [0] * properties(game).max_legal
        legal = set(legal_actions(game, state))
        actions = {chosen(model, HABITS, game, state, out, generator(seed)) for seed in SEEDS}
        assert actions <= legal
        assert len({action // PLAYED for action in actions}) <= 2


def test_a_guard_of_the_rules_names_what_was_seen_or_is_likeliest():
    game, state = scene([GUARD, KING], COUNTESS, deck=[BARON, BARON, SPY])
    out = [0] * properties(game).max_legal
    named = {
        chosen(BY_RULES, HABITS, game, state, out, generator(seed)) % PLAYED % 10 for seed in SEEDS
    }
    assert named == {BARON}
    state[KNOWN + 1] |= 1
    assert chosen(BY_RULES, HABITS, game, state, out, generator(1)) == play_number(GUARD, 1, KING)


def test_a_card_played_says_what_was_kept():
    game, state = scene([PRIEST, GUARD], KING)
    turn(game, state, play_number(PRIEST, 1))
    found = Likelihoods(game, state, 1).likelihoods[:, 0]
    assert found[BY_DECISION].tolist() == [1.0 if card == PRIEST else 0.5 for card in range(CARDS)]
    lower = [1.0 if card in (BARON, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS) else 0.0
             for card in range(CARDS)]  # fmt: skip
    expected = [SLIP / 2 + (1 - SLIP) * each for each in lower]
    expected[PRIEST] = 1.0
    assert found[BY_RULES] == pytest.approx(expected)
    habits = SLIP / 2 + (1 - SLIP) * learned().plays[0, 0, 0, PRIEST]
    habits[PRIEST] = 1.0
    assert found[BY_HABITS] == pytest.approx(habits)


def test_by_habits_a_card_is_played_as_often_as_they_say():
    game, state = scene([SPY, KING], PRINCESS)
    out, rng = [0] * properties(game).max_legal, generator(1)
    played = [chosen(BY_HABITS, HABITS, game, state, out, rng) // PLAYED for _ in range(500)]
    assert set(played) == {SPY, PRINCESS}
    assert 0.6 < played.count(SPY) / 500 < 0.8


def test_by_habits_a_princes_target_and_a_guards_guess_say_what_was_kept():
    game, state = scene([PRINCE, KING], SPY)
    after = state.copy()
    turn(game, after, play_number(PRINCE, 0), ("draw", HANDMAID))
    habits = HABITS._replace(oneself=HABITS.oneself.copy())
    habits.oneself[..., PRINCE] = 0.9
    found = Likelihoods(game, after, 1, habits)
    assert np.ptp(found.likelihoods[:, 0], axis=1).tolist() == [0.0] * len(MODELS)  # a new hand
    assert found.likelihoods[BY_HABITS, 0, 0] > 2 * found.likelihoods[BY_RULES, 0, 0]
    game, state = scene([GUARD, PRIEST], KING)
    turn(game, state, play_number(GUARD, 1, PRINCESS))  # there are more copies of others
    likelihoods = Likelihoods(game, state, 1, HABITS).likelihoods
    assert likelihoods[BY_HABITS, 0, KING] > 2 * likelihoods[BY_RULES, 0, KING]


@pytest.mark.parametrize("three", [(SPY, GUARD, KING), (SPY, SPY, KING), (KING, KING, KING)])
def test_of_a_chancellors_cards_habits_keep_each_different_one_by_its_weight(three):
    chance = np.eye(CARDS)
    weights = np.arange(1.0, CARDS + 1)
    found = keeping(chance[three[0]], (chance[three[1]] + chance[three[2]]) / 2, weights)
    expected = np.zeros(CARDS)
    for second in three[1:]:
        for third in three[1:]:
            there = list({three[0], second, third})
            expected[there] += weights[there] / weights[there].sum() / 4
    assert found == pytest.approx(expected)


def test_after_a_chancellor_what_is_kept_by_habit_is_likelier():
    game, state = scene([CHANCELLOR, SPY], BARON)
    turn(game, state, play_number(CHANCELLOR), ("draw", KING), ("draw", PRIEST))
    turn(game, state, choice_number(KING, BARON, PRIEST))
    found = Likelihoods(game, state, 1, HABITS).likelihoods[BY_HABITS, 0]
    assert found[GUARD] > 1.2 * found[KING]
    assert found[KING] == pytest.approx(found[COUNTESS])


def test_a_card_may_have_been_kept_for_several_turns():
    game, state = scene([PRIEST, SPY], KING)
    turn(game, state, play_number(PRIEST, 1), ("draw", HANDMAID), play_number(SPY))
    first = Likelihoods(game, state, 1).likelihoods[BY_RULES, 0].copy()
    turn(game, state, ("draw", CHANCELLOR), play_number(KING, 1))
    before = Likelihoods(game, state, 2).likelihoods  # of nobody at the table: nothing is left out
    both = (first + first[KING]) / 2
    assert both[PRINCESS] > both[GUARD]
    assert before.shape == (len(MODELS), 2, CARDS)


def test_what_a_guard_missed_is_not_held():
    game, state = scene([GUARD, SPY], KING)
    turn(game, state, play_number(GUARD, 1, PRINCESS))
    found = Likelihoods(game, state, 0).likelihoods[:, 1]
    assert np.flatnonzero(found.sum(axis=0) == 0).tolist() == [PRINCESS]


def test_who_wins_by_a_baron_holds_more_than_the_other():
    game, state = scene([BARON, HANDMAID, SPY], KING)
    turn(game, state, play_number(BARON, 1))
    found = Likelihoods(game, state, 2).likelihoods[:, 0].sum(axis=0)
    assert np.flatnonzero(found).tolist() == [PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS]


def test_after_a_prince_any_card_may_be_held():
    game, state = scene([PRINCE, SPY], BARON)
    turn(game, state, play_number(PRINCE, 1), ("draw", KING))
    assert np.ptp(Likelihoods(game, state, 0).likelihoods[:, 1], axis=1).tolist() == [0.0] * len(
        MODELS
    )


def test_after_a_chancellor_high_cards_are_likelier():
    game, state = scene([CHANCELLOR, SPY], BARON)
    turn(game, state, play_number(CHANCELLOR), ("draw", KING), ("draw", PRIEST))
    turn(game, state, choice_number(KING, BARON, PRIEST))
    found = Likelihoods(game, state, 1).likelihoods[BY_RULES, 0]
    assert found[COUNTESS] > found[KING] > found[BARON] > found[GUARD]


def test_hands_are_drawn_by_what_is_believed_and_by_the_copies_that_are_left():
    game, state = scene([GUARD, SPY], KING, deck=[BARON, BARON, HANDMAID])
    expected = outlook(game)
    expected.hands[:] = 0.0
    expected.hands[1, BARON], expected.hands[1, HANDMAID] = 1.0, 2.0
    expected.likelihoods[:] = expected.hands / len(MODELS)
    rng, counts = generator(1), np.zeros(CARDS)
    for _ in range(600):
        drawn = state.copy()
        imagine(expected, game, drawn, 0, rng)
        counts[drawn[HANDS + 1]] += 1
        assert sum(drawn[POOL : POOL + CARDS]) == sum(state[POOL : POOL + CARDS])
    assert counts[[BARON, HANDMAID]].sum() == 600
    assert abs(counts[BARON] - 300) < 60
    expected.hands[:] = 0.0  # where nothing explains what was seen, any card
    imagine(expected, game, state, 0, rng)


@pytest.mark.parametrize(("tokens", "won"), [([2, 1], 0.75), ([1, 1], 0.5), ([0, 2], 0.125)])
def test_a_round_is_worth_the_chance_to_win_the_race_for_tokens(tokens, won):
    game = make_game("love-letter", tokens=3)
    state, out = start(game).tolist(), [0.0, 0.0]
    state[PHASE], state[TOKENS : TOKENS + 2] = STARTING, tokens
    assert stops(outlook(game), game, state, state, out)
    assert out == pytest.approx([2 * won - 1, 1 - 2 * won], abs=1e-5)
    state[PHASE] = CHOOSING
    assert not stops(outlook(game), game, state, state, out)


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4, "tokens": 2}, {"players": 6}])
def test_it_plays_legally_and_reproducibly(options):
    game = make_game("love-letter", **options)
    state = state_after(game, 20 if options["players"] > 2 else 11, 3)
    before = state.copy()
    player = int(mover(game, state))
    choices = [champion(game, player, simulations=100).play(state) for _ in range(2)]
    assert choices[0] == choices[1]
    assert choices[0].action in legal_actions(game, state)
    assert np.array_equal(state, before)


def test_it_uses_what_it_has_seen():
    game, state = scene([GUARD, KING], COUNTESS)
    state[KNOWN + 1] |= 1
    action = champion(game, 0, simulations=200).play(np.array(state, np.int16)).action
    assert action == play_number(GUARD, 1, KING)


def test_it_wins_most_rounds_against_chance():
    won = 0
    for seed in range(40):
        state, rng, me = start(GAME).tolist(), generator(seed), seed % 2
        bots = [make_bot("random", {}, Seating(GAME, each, seed, 1.0)) for each in (0, 1)]
        bots[me] = champion(GAME, me, seed, simulations=100)
        while (player := int(mover(GAME, state))) != OVER:
            if player == CHANCE:
                action = draw(GAME, state, [0] * CARDS, [0.0] * CARDS, rng)
            else:
                action = bots[player].play(np.array(state, np.int16)).action
            play(GAME, state, action)
        won += state[WINNERS] >> me & 1
    assert won >= 25


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"simulations": -1}, "must be above 0"),
        ({"simulations": 5, "seconds": 0.1}, "not both"),
        ({"simulations": 5, "exploration": -1.0}, "exploration must be 0 or more"),
    ],
)
def test_options_out_of_range_are_refused(options, reason):
    with pytest.raises(BuiltinError, match=reason):
        champion(GAME, 0, **options)


def test_it_says_what_it_considered_and_what_others_may_hold():
    game, state = scene([GUARD, SPY, KING], COUNTESS, deck=[BARON, BARON, PRIEST, PRINCESS])
    state[KNOWN + 1] |= 1
    bot, before = champion(game, 0, simulations=300), np.array(state, np.int16)
    options = bot.explain(before)
    assert {option.line[0] for option in options} == set(legal_actions(game, state))
    assert sum(option.visits for option in options) == 300
    assert options[0].line[0] == champion(game, 0, simulations=300).play(before).action
    found = [(each.player, each.card) for each in bot.beliefs(before)]
    assert found[0] == (1, SPY) and {card for _, card in found[1:]} >= {BARON, PRINCESS}
    assert {player for player, _ in found[1:]} == {2}
    assert sum(each.probability for each in bot.beliefs(before)) == pytest.approx(2.0)


def test_what_was_played_changes_what_it_believes():
    game, state = scene([GUARD, SPY], KING)
    turn(game, state, play_number(GUARD, 1, PRINCESS), ("draw", PRIEST), play_number(SPY))
    turn(game, state, ("draw", BARON))
    found = {each.card: each.probability for each in beliefs_of(
        champion(game, 0, simulations=10), game, np.array(state, np.int16), 0)}  # fmt: skip
    plain = {each.card: each.probability for each in beliefs(game, state, 0)}
    # The card may have been drawn since, but was not held then.
    assert 0 < found[PRINCESS] < 0.7 * plain[PRINCESS]
    assert sum(found.values()) == pytest.approx(1.0)


def test_with_the_last_cards_its_values_are_exact():
    game, state = scene([GUARD, BARON], PRIEST, deck=[KING], aside=HANDMAID)
    bot, seen = champion(game, 0, simulations=5000), np.array(state, np.int16)
    assert bot.play(seen).message.startswith("exactly: ")
    options = bot.explain(seen)
    assert [option.visits for option in options] == [None] * len(options)
    values = [option.value for option in options]
    assert values == sorted(values, reverse=True)
    sampled = champion(game, 0, simulations=5000, exact=-1).explain(seen)
    exact = dict(zip((option.line for option in options), values, strict=True))
    for option in sampled:
        if option.visits > 1000:
            assert option.value == pytest.approx(exact[option.line], abs=0.1)


def test_it_plays_no_other_game():
    with pytest.raises(BuiltinError, match="plays love-letter, not pennies"):
        champion(Pennies(), 0)
