"""Ends of games: each has its reason, in every language, and it is true of recorded games."""

import re

import numpy as np
import pytest
from games.samples import samples

from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, properties, returns, start
from joute.core.random import generator
from joute.core.registry import card_of, make
from joute.i18n.words import LANGUAGES, speaking
from joute.play.telling import telling, why_ended

NAMES = ("Ann", "Bob", "Chloé", "Dan", "Eve", "Finn", "Gus", "Hope")


def ended(game, seed):
    """The last state of a game played at random."""
    facts = properties(game)
    state, rng = start(game).tolist(), generator(seed)
    out = np.zeros(max(facts.max_legal, facts.max_outcomes), np.int64)
    weights = np.zeros(facts.max_outcomes)
    while (player := mover(game, state)) != OVER:
        choose = draw(game, state, out, weights, rng) if player == CHANCE else None
        play(game, state, int(pick(game, state, out, rng) if choose is None else choose))
    return state


def reasons(game, state):
    """The reason of an end in each language."""
    told = []
    for language in LANGUAGES:
        with speaking(language):
            told.append(why_ended(game, state, "finished", NAMES))
    return told


@pytest.mark.parametrize(
    "game", [game for each in samples().values() for game in each.QUICK], ids=str
)
def test_every_end_has_a_reason_in_every_language(game):
    for seed in range(4):
        english, french = reasons(game, ended(game, seed))
        for reason in (english, french):
            assert re.fullmatch(r"[^{}]{10,200}[.]", reason), reason
        assert english != french


@pytest.mark.parametrize(
    "game", [game for each in samples().values() for game in each.QUICK], ids=str
)
def test_a_return_of_nothing_is_no_negative_zero(game):
    found = np.zeros(properties(game).players)
    for seed in range(12):
        returns(game, np.array(ended(game, seed)), found)
        assert not np.signbit(found[found == 0]).any()


@pytest.mark.parametrize("ending", ["forfeit", "resignation"])
@pytest.mark.game("virus")
def test_an_end_that_the_rules_did_not_bring_has_no_reason_of_theirs(ending):
    game = make("virus", size=3)
    assert why_ended(game, ended(game, 1), ending, NAMES) == ""


def test_a_game_that_says_nothing_of_its_ends_has_no_reason():
    from games.pennies import Pennies  # a game of the tests, without a card

    game = Pennies()
    assert why_ended(game, start(game).tolist(), "finished", NAMES) == ""


@pytest.mark.game("virus")
def test_virus_ends_with_a_full_grid_or_two_passes():
    from games.virus.test_golden import golden_games, replayed

    told = set()
    for recorded in golden_games():
        game, state, _ = replayed(recorded)
        told.add(reasons(game, state)[0])
    assert told == {"The grid is full."}


@pytest.mark.game("virus")
def test_virus_counts_the_cells_left_empty_by_two_passes():
    for size, starter in ((3, 0), (4, 1)):
        game = make("virus", size=size)
        state = start(game).tolist()
        for action in (starter, size * size, size * size):
            play(game, state, action)
        assert f"with {size * size - 4} cells still empty" in reasons(game, state)[0]


@pytest.mark.game("tron")
def test_tron_tells_the_crashes_of_recorded_games():
    from games.tron.test_golden import GAMES, made, play_round

    told = {"same cell": "into each other", "both ends": "into each other", "swap": "crashed"}
    for recorded in GAMES:
        game = made(recorded)
        state = start(game).tolist()
        for each in recorded["rounds"]:
            play_round(game, state, each)
        last = [each["why"] for each in recorded["rounds"] if each.get("why")][-1]
        [reason, _] = reasons(game, state)
        kept = recorded["options"]["trail"] == "stay"
        told |= {"trapped": "no way left" if kept else "crashed", "wall": ""}
        if game.turns:
            last = dict([list(last.items())[-1]])
        for bike, why in last.items():
            assert told[why] in reason, (recorded["id"], reason, last)
            assert NAMES[int(bike)] in reason
        left = recorded["end"]["alive"]
        assert all(NAMES[bike] in reason.rsplit(". ", 1)[-1] for bike in left)


@pytest.mark.game("love-letter")
def test_love_letter_tells_who_is_left_or_holds_most():
    game = make("love-letter", players=2)
    told = {re.sub(r"(Ann|Bob).*", "", reasons(game, ended(game, seed))[0]) for seed in range(80)}
    assert {"All others are out: ", "The deck is empty, and the highest card wins: "} <= told


@pytest.mark.game("paradise")
def test_paradise_tells_fatigue_from_a_blow():
    game = make("paradise")
    told = {re.sub("Ann|Bob", "X", reasons(game, ended(game, seed))[0]) for seed in range(6)}
    assert told == {"X\N{RIGHT SINGLE QUOTATION MARK}s hero is at 0."}
    state = start(game).tolist()
    rng = generator(3)
    facts = properties(game)
    out, weights = np.zeros(facts.max_legal, np.int64), np.zeros(facts.max_outcomes)
    while (player := mover(game, state)) != OVER:  # nobody does anything but draw
        play(game, state, draw(game, state, out, weights, rng) if player == CHANCE else 0)
    assert reasons(game, state)[0].endswith("and fatigue brought their hero to 0.")


@pytest.mark.game("vampires")
def test_vampires_tells_which_limit_was_reached():
    game = make("vampires", plies=4)
    assert "limit of 4 turns" in reasons(game, ended(game, 0))[0]
    state = start(game).tolist()
    from joute.core.interface import stop_action

    play(game, state, stop_action(game, state))
    assert "time of the game is up" in reasons(game, state)[0]


@pytest.mark.game("virus")
def test_a_pass_that_ends_the_game_or_loses_it_is_warned_of():
    game = make("virus", size=4)
    words = telling(card_of(game))
    state = start(game).tolist()
    play(game, state, 0)
    assert words.warning(game, state, 16, NAMES) == ""  # nobody is behind
    play(game, state, 16)
    asked = words.warning(game, state, 16, NAMES)
    assert "Ann has just passed" in asked and "12 cells still empty" in asked
    assert words.warning(game, state, 1, NAMES) == ""  # a stone
    play(game, state, 2)
    assert "You are behind, 2 to 3" in words.warning(game, state, 16, NAMES)


@pytest.mark.game("virus")
def test_a_pass_that_must_be_is_not_warned_of():
    game = make("virus", size=4, voluntary_pass=False)
    from joute.core.interface import legal_actions

    for seed in range(30):
        state, rng = start(game).tolist(), generator(seed)
        play(game, state, 0)
        out = np.zeros(16, np.int64)
        while mover(game, state) != OVER:
            if legal_actions(game, state) == [16]:
                assert telling(card_of(game)).warning(game, state, 16, NAMES) == ""
            play(game, state, pick(game, state, out, rng))


@pytest.mark.game("love-letter")
def test_a_card_that_puts_its_own_player_out_is_warned_of():
    from joute.core.interface import legal_actions, parse

    game = make("love-letter", players=3)
    words = telling(card_of(game))
    state = start(game).tolist()
    for text in ("player 0 starts", "princess", "king", "spy", "prince"):
        play(game, state, parse(game, state, text))
    told = {
        action: words.warning(game, state, action, NAMES) for action in legal_actions(game, state)
    }
    assert told[parse(game, state, "princess")].startswith(
        "You are out at once if you play the Princess"
    )
    assert "discard the Princess" in told[parse(game, state, "prince 0")]
    assert told[parse(game, state, "prince 1")] == ""


@pytest.mark.game("virus")
def test_the_log_of_virus_says_how_many_stones_an_action_turned():
    from joute.play.telling import narrated
    from joute.text import plain

    def told(turned):
        event = {"player": 0, "action": 4, "text": "b2", "turned": turned, "line": {"ply": 6}}
        [line] = narrated(make("virus", size=3), event, NAMES)
        return plain(line)

    assert told([]) == "  7. Ann  b2"
    assert told([[0, 0]]) == "  7. Ann  b2, turns 1 stone"
    assert told([[0, 0], [0, 1]]) == "  7. Ann  b2, turns 2 stones"
