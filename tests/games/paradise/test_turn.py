"""The search of whole turns, and the bot of Paradise that plays by it."""

import numpy as np
import pytest
from games.paradise.tables import GAME, QUIRKS, choices, table

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import (
    CHANCE,
    OVER,
    accepts,
    chances,
    describe,
    determinize,
    draw,
    mover,
    play,
    points,
    start,
)
from joute.core.random import generator
from joute.core.registry import make as make_game
from joute.games.paradise.players.simple import WON, Linear, linear
from joute.games.paradise.state import DECK_SIZE, END, FATIGUE, HERO, MANA, POWER_USED, block
from joute.search.evaluation import Lead
from joute.search.whole_turns import WholeTurns, explore

TURNS = [
    table([["mole", "arcane shot", "wolf"], []], [["raptor"], ["mole", "raptor"]], mana=3),
    table([["alpha", "wolf"], []], [["raptor", "mole"], ["snapjaw"]], mana=3),
    table([["fireball"], []], [["hyena", "zwolf"], ["highmane", "cobra"]], mana=6),
    table([["hounds", "deadly shot"], []], [["mole"], ["raptor", "ultrasaur"]], mana=6),
    table([["rhino"], []], [["mole"], ["raptor", "cobra"]], mana=7),
    table([["kill command", "deadly shot"], []], [["cobra"], ["ultrasaur", "mole"]], mana=8),
    # Here positions are met before others that lead to them: values settle in several rounds.
    table(
        [["deadly shot", "raptor", "snapjaw"], []],
        [["raptor", "highmane"], ["alpha", "wolf"]],
        mana=5,
    ),
]
CROWD = table(
    [["mole", "wolf", "raptor", "arcane shot", "fireball"], []],
    [["raptor", "mole", "wolf", "snapjaw"], ["mole", "cobra", "alpha", "highmane"]],
)

SEVEN = ["raptor", "mole", "cobra", "hyena", "alpha", "snapjaw", "wolf"]
FULL = table([[], []], [SEVEN, SEVEN])


def search(state, positions=20_000):
    return WholeTurns(GAME, start(GAME), Linear(), positions).search(np.array(state, np.int16))


def after(state, *actions):
    state = list(state)
    for action in actions:
        play(GAME, state, action)
    return state


def best(state, found):
    """The mean value of the best end of player 0's turn; `found` keeps the positions met."""
    key = tuple(state)
    if mover(GAME, state) == OVER:
        return linear(state, 0)
    if key not in found:
        if mover(GAME, state) == CHANCE:
            outcomes, weights = [0] * 16, [0.0] * 16
            count = chances(GAME, state, outcomes, weights)
            found[key] = sum(
                weights[each] * best(after(state, outcomes[each]), found) for each in range(count)
            )
        else:
            others = [best(after(state, each), found) for each in choices(state) if each != END]
            found[key] = max([linear(state, 0), *others])
    return found[key]


@pytest.mark.parametrize("state", TURNS)
def test_the_value_is_that_of_the_best_end_of_all_turns(state):
    positions = {}
    expected = best(state, positions)
    found = search(state)
    assert found.value == pytest.approx(expected)
    assert (found.positions, found.whole) == (len(positions), True)


@pytest.mark.parametrize("state", TURNS[:3])
def test_its_actions_lead_to_the_value(state):
    found = search(state)
    assert found.actions[-1] == END
    assert linear(after(state, *found.actions[:-1]), 0) == pytest.approx(found.value)


def test_actions_that_can_be_exchanged_lead_to_one_position():
    state = table([["mole", "raptor"], []])
    state[block(0) + POWER_USED] = 1
    # Nothing, either card, both in either order: the boards differ.
    assert search(state).positions == 5
    state = table([["fireball"], []], mana=6)
    assert search(state).positions == 4


def test_a_shot_counts_by_its_mean_with_the_best_that_follows():
    state = table(
        [["deadly shot", "kill command"], []], [["zmole"], ["ultrasaur", "snapjaw"]], mana=6
    )
    found = search(state)
    assert [describe(GAME, state, each) for each in found.actions] == ["play deadly shot"]
    shot = after(state, *found.actions)
    means = [best(after(shot, 16 + number), {}) for number in (0, 1)]
    assert found.value == pytest.approx(sum(means) / 2)


def test_it_wins_if_it_can():
    state = table([["kill command", "mole", "ultrasaur"], []], [["raptor"], ["snapjaw"]], mana=4)
    state[block(1) + HERO] = 8
    found = search(state)
    assert found.value == WON
    assert mover(GAME, after(state, *found.actions)) == OVER


def test_of_more_positions_than_there_is_room_for_the_best_so_far_is_played():
    whole, few = search(CROWD), search(CROWD, 50)
    assert (few.positions, few.whole) == (50, False)
    assert linear(CROWD, 0) < few.value < whole.value
    assert linear(after(CROWD, *few.actions), 0) == pytest.approx(few.value)
    assert search(CROWD, 1).positions == 1


def test_what_looks_best_is_followed_first():
    """So where there is no room for all, it is better than to take the best action each time."""
    player, state = make("greedy", {}, Seating(GAME, 0, 1, 1.0)), list(FULL)
    while (action := player.play(np.array(state, np.int16)).action) != END:
        play(GAME, state, action)
    assert search(FULL, 5_000).value > linear(state, 0)


def test_it_stops_at_20_000_positions():
    found = search(FULL)
    assert (found.positions, found.whole) == (20_000, False)


def test_compiled_and_plain_python_find_the_same():
    room = WholeTurns(GAME, start(GAME), Linear(), 60)
    compiled = room.search(np.array(CROWD, np.int16))
    values = room._work.values.copy()
    room._work.values[:] = 0.0
    room._work.states[0] = CROWD
    explore.function(GAME, Linear(), room._work)
    assert values.tolist() == room._work.values.tolist()
    assert compiled.value == values[0]


@pytest.mark.game("virus")
def test_where_a_turn_is_one_action_it_is_the_best_one():
    virus = make_game("virus", size=5)
    state = start(virus)
    assert mover(virus, state) == CHANCE  # who begins is drawn
    play(virus, state, 0)
    room = WholeTurns(virus, state, Lead(), 100)
    room._work.states[0] = state
    explore.function(virus, Lead(), room._work)
    leads = []
    for action in choices(state.tolist(), virus):
        then = state.tolist()
        play(virus, then, action)
        leads.append(points(virus, then, 0) - points(virus, then, 1))
    assert (room._work.values[0], room._work.control[0]) == (max(leads), 1)


# The bot.


def bot(game=GAME, **options):
    texts = {key: str(value) for key, value in options.items()}
    return make("turn", texts, Seating(game, 0, 1, 10.0))


def turn(player, state, game=GAME):
    """All that a bot plays in a turn, as texts, and what it says at each; shots hit the first."""
    state, told = list(state), []
    while mover(game, state) == 0:
        choice = player.play(np.array(state, np.int16))
        assert accepts(game, state, choice.action)
        told.append((describe(game, state, choice.action), choice.message))
        play(game, state, choice.action)
        if told[-1][0] == "play deadly shot":
            play(game, state, 16)
    return told


def test_an_action_a_ply_with_one_search_a_turn():
    told = turn(bot(), table([["mole"], []], [["raptor"], ["mole"]]))
    assert told[-1][0] == "end"
    assert len(told) > 2
    assert len({message for _, message in told}) == 1
    assert told[0][1].startswith("values its turn ")


def test_after_a_shot_the_turn_is_thought_over():
    state = table([["deadly shot", "mole"], []], [["raptor"], ["ultrasaur", "wolf"]])
    state[block(1) + HERO] = 30
    told = turn(bot(), state)
    shot = [text for text, _ in told].index("play deadly shot")
    assert told[shot][1] != told[shot + 1][1]


def test_with_little_room_it_goes_on_from_where_it_was_cut_off():
    told = turn(bot(positions=5), CROWD)
    assert told[-1][0] == "end"
    assert told[0][1].endswith("5 positions, more were left out")
    assert len({message for _, message in told}) > 1


def test_what_it_cannot_see_changes_nothing():
    rng, other = generator(5), generator(6)
    state = start(GAME).tolist()
    while mover(GAME, state) == CHANCE:
        play(GAME, state, draw(GAME, state, [0] * 16, [0.0] * 16, rng))
    state[block(0) + MANA] = 6
    imagined = state.copy()
    determinize(GAME, imagined, 0, other)
    assert imagined != state
    assert turn(bot(), state) == turn(bot(), imagined)


def test_quirks_do_not_make_it_shoot_itself():
    told = turn(bot(QUIRKS), table([["fireball", "kill command"], []], [[], ["wolf"]]), QUIRKS)
    assert not any(text.endswith(" me") for text, _ in told)


def test_it_ends_the_turn_if_the_other_dies_of_its_empty_deck():
    state = table(boards=(["mole"], ["ultrasaur"]))
    other = block(1)
    state[other + HERO], state[other + FATIGUE] = 3, 5
    state[other + 18 : other + 34] = [0] * 16
    state[other + DECK_SIZE] = 0
    told = turn(bot(), state)
    assert f"{WON:.1f}" in told[0][1]


def test_no_room_is_refused():
    with pytest.raises(BuiltinError, match="builtin:turn: positions: expected at least one"):
        bot(positions=0)


def wins(first, second, games, seed):
    """The number of games, seats in turn, that the first bot wins."""
    rng, won = generator(seed), 0
    for number in range(games):
        names = (first, second) if number % 2 == 0 else (second, first)
        players = [
            make(name, {}, Seating(GAME, seat, number, 1.0)) for seat, name in enumerate(names)
        ]
        state = start(GAME).tolist()
        while (player := mover(GAME, state)) != OVER:
            if player == CHANCE:
                play(GAME, state, draw(GAME, state, [0] * 16, [0.0] * 16, rng))
            else:
                play(GAME, state, players[player].play(np.array(state, np.int16)).action)
        won += (points(GAME, state, 0) > 0) == (number % 2 == 0)
    return won


@pytest.mark.full
@pytest.mark.parametrize(("other", "least"), [("greedy", 52), ("face", 85), ("curve", 70)])
def test_it_beats_the_other_built_in_bots(other, least):
    assert wins("turn", other, 100, seed=3) >= least
