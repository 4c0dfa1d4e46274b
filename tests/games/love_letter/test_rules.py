"""The rules of Love Letter: every row of the specification's table of cases, by name."""

import pytest
from games.love_letter.rounds import (
    as_listed,
    choice_number,
    dealt,
    legal_actions,
    outcomes,
    over,
    play_number,
    scene,
    turn,
)

from joute.core.errors import GameError
from joute.core.interface import (
    CHANCE,
    OVER,
    draw,
    fault_action,
    mover,
    observe,
    parameters,
    pending,
    pick,
    play,
    points,
    returns,
    start,
    tell,
)
from joute.core.random import below, generator
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import (
    BARON,
    CHANCELLOR,
    COUNTESS,
    CURRENT,
    GUARD,
    HANDMAID,
    HANDS,
    KING,
    OFFICIAL_TOKENS,
    PRIEST,
    PRINCE,
    PRINCESS,
    ROUND,
    SPY,
    TOKENS,
)


def listed(game, state):
    """The legal actions as [card, target, guess] or [keep, first, second]."""
    return [as_listed(each) for each in legal_actions(game, state)]


def view(game, state, player=0):
    return observe(game, state, player)


def ended(game, state):
    """The end of the round as everybody sees it."""
    assert over(game, state)
    return view(game, state)["round_over"]


# The setup.


@pytest.mark.parametrize(
    ("players", "deck", "size"),
    [
        (2, "2019", 15), (3, "2019", 17), (4, "2019", 16), (5, "2019", 15), (6, "2019", 14),
        (2, "classic", 10), (3, "classic", 12), (4, "classic", 11),
    ],
)  # fmt: skip
def test_after_the_deal_the_deck_has_the_cards_that_the_rulebook_says(players, deck, size):
    game = make(players=players, deck=deck)
    face_up = [GUARD, GUARD, GUARD] if players == 2 else []
    hands = [PRIEST, PRIEST, BARON, BARON, PRINCE, PRINCE][:players]
    state = dealt(game, face_up, hands, starter=players - 1)
    for player in range(players):
        seen = view(game, state, player)
        assert (seen["deck_size"], seen["face_up"]) == (size, face_up)
        assert (seen["hand"], seen["turn"]) == ([hands[player]], players - 1)
    assert len(outcomes(game, state)) <= 10


def test_the_first_round_is_started_by_any_player():
    for players in range(2, 7):
        game = make(players=players)
        assert outcomes(game, start(game)) == list(range(players))


def test_the_classic_deck_has_one_guard_two_chancellors_and_two_spies_less():
    game = make(deck="classic")
    assert view(game, start(game))["unseen"] == [0, 5, 2, 2, 2, 2, 0, 1, 1, 1]
    assert view(make(), start(make()))["unseen"] == [2, 6, 2, 2, 2, 2, 2, 1, 1, 1]


# The Countess.


@pytest.mark.parametrize("other", [KING, PRINCE])
@pytest.mark.parametrize("countess_drawn", [True, False])
def test_the_countess_must_be_played_beside_the_king_or_a_prince(other, countess_drawn):
    held, drawn = (other, COUNTESS) if countess_drawn else (COUNTESS, other)
    game, state = scene([held, GUARD], drawn)
    assert listed(game, state) == [[COUNTESS]]


def test_the_countess_may_be_played_freely_beside_another_card():
    game, state = scene([COUNTESS, GUARD], PRINCESS)
    assert listed(game, state) == [[COUNTESS], [PRINCESS]]


def test_playing_the_countess_shows_nothing_of_the_other_card():
    told = []
    for other in (KING, PRINCE, SPY):
        game, state = scene([COUNTESS, GUARD], other)
        told.append(tell(game, state, 1, play_number(COUNTESS)))
        turn(game, state, play_number(COUNTESS))
        assert view(game, state, 1)["known"] == []
    assert told[0] == told[1] == told[2]


def test_a_countess_met_during_a_chancellor_may_be_returned_or_kept_beside_the_king():
    game, state = scene([KING, GUARD], CHANCELLOR)
    turn(game, state, play_number(CHANCELLOR), ("draw", COUNTESS), ("draw", PRINCE))
    assert [KING, PRINCE, COUNTESS] in listed(game, state)
    assert len(listed(game, state)) == 6
    turn(game, state, choice_number(KING, COUNTESS, PRINCE))
    assert state[HANDS] == KING


def test_the_countess_binds_again_in_the_turn_after_a_chancellor():
    game, state = scene([KING, GUARD], CHANCELLOR)
    turn(game, state, play_number(CHANCELLOR), ("draw", COUNTESS), ("draw", SPY))
    turn(game, state, choice_number(COUNTESS, KING, SPY), ("draw", HANDMAID))
    turn(game, state, play_number(HANDMAID), ("draw", PRINCE))
    assert listed(game, state) == [[COUNTESS]]


# Guard, Priest, Baron, Handmaid, King, Princess.


def test_a_guard_may_name_any_of_the_nine_others_even_one_that_cannot_be_there():
    game, state = scene([GUARD, PRIEST], SPY, face_up=(PRINCESS, KING, COUNTESS))
    expected = [[GUARD, 1, guess] for guess in range(10) if guess != GUARD]
    assert listed(game, state) == [[SPY], *expected]


def test_a_guard_that_names_the_card_puts_its_holder_out():
    game, state = scene([GUARD, PRIEST], SPY)
    assert tell(game, state, 1, play_number(GUARD, 1, PRIEST))["hit"] is True
    turn(game, state, play_number(GUARD, 1, PRIEST))
    assert ended(game, state)["winners"] == [0]


def test_a_guard_that_misses_changes_nothing_and_everybody_sees_the_guess():
    game, state = scene([GUARD, PRIEST, PRIEST], SPY)
    assert tell(game, state, 2, play_number(GUARD, 1, KING))["hit"] is False
    turn(game, state, play_number(GUARD, 1, KING))
    assert view(game, state, 2)["alive"] == [0, 1, 2]
    assert view(game, state, 2)["log"] == [
        {"player": 0, "card": GUARD, "played": True, "target": 1, "guess": KING}
    ]


def test_a_priest_shows_a_hand_to_its_player_alone():
    game, state = scene([PRIEST, KING, BARON], SPY)
    told = [tell(game, state, each, play_number(PRIEST, 1)) for each in range(3)]
    assert [each.get("seen") for each in told] == [KING, None, None]
    turn(game, state, play_number(PRIEST, 1))
    assert [view(game, state, each)["known"] for each in range(3)] == [[[1, KING]], [], []]


@pytest.mark.parametrize(("mine", "theirs", "loser"), [(KING, PRIEST, 1), (GUARD, PRIEST, 0)])
def test_the_lower_card_loses_a_baron(mine, theirs, loser):
    game, state = scene([mine, theirs, SPY], BARON)
    told = [tell(game, state, each, play_number(BARON, 1)) for each in range(3)]
    assert [each.get("compared") for each in told] == [[mine, theirs], [mine, theirs], None]
    assert [each["out"] for each in told] == [loser] * 3
    turn(game, state, play_number(BARON, 1))
    assert loser not in view(game, state)["alive"]
    assert view(game, state, 2)["known"] == []


def test_equal_cards_of_a_baron_do_nothing_but_are_known_to_both():
    game, state = scene([PRIEST, PRIEST, SPY], BARON)
    turn(game, state, play_number(BARON, 1))
    assert view(game, state)["alive"] == [0, 1, 2]
    known = [view(game, state, each)["known"] for each in range(3)]
    assert known == [[[1, PRIEST]], [[0, PRIEST]], []]


def test_a_handmaid_protects_until_the_start_of_the_next_turn_of_her_player():
    game, state = scene([HANDMAID, GUARD, GUARD], SPY)
    turn(game, state, play_number(HANDMAID))
    assert view(game, state)["protected"] == [0]
    turn(game, state, ("draw", KING), play_number(GUARD, 2, SPY), ("draw", SPY))
    assert view(game, state)["protected"] == [0]
    turn(game, state, play_number(SPY))
    assert (state[CURRENT], view(game, state)["protected"]) == (0, [])


def test_a_king_swaps_the_hands_and_both_know_both():
    game, state = scene([KING, PRINCESS, SPY], GUARD)
    told = [tell(game, state, each, play_number(KING, 1)) for each in range(3)]
    assert [each.get("swapped") for each in told] == [[PRINCESS, GUARD]] * 2 + [None]
    turn(game, state, play_number(KING, 1))
    assert [view(game, state, each)["hand"] for each in range(2)] == [[PRINCESS], [GUARD]]
    known = [view(game, state, each)["known"] for each in range(3)]
    assert known == [[[1, GUARD]], [[0, PRINCESS]], []]


def test_knowledge_of_a_third_player_follows_a_king():
    game, state = scene([PRIEST, KING, SPY], GUARD)
    turn(game, state, play_number(PRIEST, 2))
    turn(game, state, ("draw", HANDMAID), play_number(KING, 2))
    assert view(game, state)["known"] == [[1, SPY]]


def test_who_plays_the_princess_is_out_and_discards_the_other_card():
    game, state = scene([PRINCESS, GUARD, SPY], SPY)
    turn(game, state, play_number(PRINCESS))
    assert view(game, state)["alive"] == [1, 2]
    assert view(game, state)["discards"][0] == [PRINCESS, SPY]


# Protected players.


@pytest.mark.parametrize("card", [GUARD, PRIEST, BARON, KING])
def test_with_all_others_protected_a_card_is_played_without_target_and_effect(card):
    game, state = scene([HANDMAID, card], SPY)
    turn(game, state, play_number(HANDMAID), ("draw", PRIEST))
    assert [card] in listed(game, state)
    before = state.copy()
    turn(game, state, play_number(card))
    assert state[HANDS] == before[HANDS]
    assert view(game, state, 1)["known"] == []
    assert view(game, state)["alive"] == [0, 1]


def test_with_all_others_protected_a_prince_takes_oneself():
    game, state = scene([HANDMAID, PRINCE], SPY)
    turn(game, state, play_number(HANDMAID), ("draw", GUARD))
    assert listed(game, state) == [[GUARD], [PRINCE, 1]]


@pytest.mark.parametrize("card", [PRIEST, BARON, KING, PRINCE, GUARD])
def test_with_some_protected_one_of_the_others_must_be_chosen(card):
    game, state = scene([HANDMAID, card, SPY], SPY)
    turn(game, state, play_number(HANDMAID), ("draw", CHANCELLOR))
    chosen = {each[1] for each in listed(game, state) if each[0] == card}
    assert chosen == ({1, 2} if card == PRINCE else {2})


# The Prince.


@pytest.mark.parametrize("card", [HANDMAID, CHANCELLOR, KING, COUNTESS, GUARD])
def test_a_card_discarded_by_a_prince_is_face_up_and_has_no_effect(card):
    game, state = scene([PRINCE, card], SPY)
    turn(game, state, play_number(PRINCE, 1))
    assert (mover(game, state), pending(game, state)) == (CHANCE, 1)
    turn(game, state, ("draw", BARON), ("draw", GUARD))
    assert mover(game, state) == 1
    seen = view(game, state, 0)
    assert (seen["discards"][1], seen["protected"], seen["known"]) == ([card], [], [])
    assert view(game, state, 1)["hand"] == [BARON, GUARD]


@pytest.mark.parametrize("target", [0, 1])
def test_a_princess_discarded_by_a_prince_puts_her_holder_out_without_redraw(target):
    hands = [PRINCESS, GUARD, SPY] if target == 0 else [GUARD, PRINCESS, SPY]
    game, state = scene(hands, PRINCE)
    size = view(game, state)["deck_size"]
    turn(game, state, play_number(PRINCE, target))
    assert target not in view(game, state)["alive"]
    assert view(game, state)["discards"][target][-1] == PRINCESS
    assert view(game, state)["deck_size"] == size
    assert state[CURRENT] == (2 if target == 1 else 1)


def test_a_spy_discarded_by_a_prince_counts_for_the_bonus():
    game, state = scene([PRINCE, SPY], KING, deck=[PRIEST])
    turn(game, state, play_number(PRINCE, 1), ("draw", PRIEST))
    assert ended(game, state) == {
        "round": 1,
        "reason": "showdown",
        "winners": [0],
        "spy_bonus": 1,
        "hands": [KING, PRIEST],
        "tokens": [1, 1],
    }


def test_with_an_empty_deck_a_prince_gives_the_card_set_aside():
    game, state = scene([PRINCE, SPY], PRIEST, deck=[], aside=KING)
    turn(game, state, play_number(PRINCE, 1))
    assert outcomes(game, state) == [KING]
    turn(game, state, ("draw", KING))
    assert ended(game, state)["winners"] == [1]
    assert ended(game, state)["hands"] == [PRIEST, KING]


# The Chancellor.


def test_a_chancellor_draws_two_keeps_one_and_orders_the_others_at_the_bottom():
    game, state = scene([PRIEST, GUARD], CHANCELLOR)
    size = view(game, state)["deck_size"]
    turn(game, state, play_number(CHANCELLOR), ("draw", KING), ("draw", SPY))
    assert pending(game, state) == 1
    expected = [
        [SPY, PRIEST, KING], [SPY, KING, PRIEST], [PRIEST, SPY, KING], [PRIEST, KING, SPY],
        [KING, SPY, PRIEST], [KING, PRIEST, SPY],
    ]  # fmt: skip
    assert listed(game, state) == expected
    turn(game, state, choice_number(PRIEST, KING, SPY))
    assert view(game, state, 0)["bottom"] == [[0, KING], [0, SPY]]
    assert view(game, state, 1)["bottom"] == [[0, None], [0, None]]
    assert view(game, state, 0)["deck_size"] == size


@pytest.mark.parametrize(
    ("held", "drawn", "expected"),
    [
        (PRIEST, [PRIEST, PRIEST], [[2, 2, 2]]),
        (PRIEST, [PRIEST, KING], [[2, 2, 7], [2, 7, 2], [7, 2, 2]]),
        (KING, [PRIEST, KING], [[2, 7, 7], [7, 2, 7], [7, 7, 2]]),
    ],
)
def test_equal_cards_of_a_chancellor_give_each_choice_once(held, drawn, expected):
    game, state = scene([held, GUARD], CHANCELLOR, deck=[*drawn, GUARD])
    turn(game, state, play_number(CHANCELLOR), *(("draw", card) for card in drawn))
    assert listed(game, state) == expected


def test_a_chancellor_with_one_card_in_the_deck_returns_one_and_the_round_goes_on():
    game, state = scene([PRIEST, GUARD], CHANCELLOR, deck=[KING])
    turn(game, state, play_number(CHANCELLOR), ("draw", KING))
    assert listed(game, state) == [[PRIEST, KING], [KING, PRIEST]]
    turn(game, state, choice_number(KING, PRIEST))
    assert mover(game, state) == CHANCE
    assert outcomes(game, state) == [PRIEST]
    turn(game, state, ("draw", PRIEST))
    assert mover(game, state) == 1
    assert view(game, state, 0)["known"] == [[1, PRIEST]]


def test_two_equal_cards_of_a_chancellor_leave_no_choice():
    game, state = scene([KING, GUARD], CHANCELLOR, deck=[KING])
    turn(game, state, play_number(CHANCELLOR), ("draw", KING))
    assert listed(game, state) == [[KING, KING]]


def test_a_chancellor_with_an_empty_deck_has_no_effect_and_leaves_the_card_set_aside():
    game, state = scene([PRIEST, GUARD], CHANCELLOR, deck=[], aside=PRINCESS)
    turn(game, state, play_number(CHANCELLOR))
    assert ended(game, state)["hands"] == [PRIEST, GUARD]


# Elimination, showdown, the Spy.


def test_who_is_out_discards_its_hand_face_up_without_effect():
    game, state = scene([GUARD, HANDMAID, SPY], SPY)
    turn(game, state, play_number(GUARD, 1, HANDMAID))
    seen = view(game, state, 2)
    assert (seen["discards"][1], seen["protected"], seen["alive"]) == ([HANDMAID], [], [0, 2])
    assert seen["log"][1] == {
        "player": 1, "card": HANDMAID, "played": False, "target": None, "guess": None,
    }  # fmt: skip


def test_the_spies_of_who_is_out_no_longer_matter():
    game, state = scene([SPY, GUARD, PRIEST], KING)
    turn(game, state, play_number(SPY), ("draw", BARON))
    assert view(game, state)["spies"] == [0]
    turn(game, state, play_number(GUARD, 0, KING))
    assert view(game, state)["spies"] == []


def test_at_a_showdown_the_highest_card_wins_one_token():
    game, state = scene([COUNTESS, KING], GUARD, deck=[])
    turn(game, state, play_number(GUARD, 1, SPY))
    assert (ended(game, state)["winners"], ended(game, state)["tokens"]) == ([0], [1, 0])
    values = [0.0, 0.0]
    returns(game, state, values)
    assert values == [1.0, -1.0]


def test_tied_players_win_a_token_each_whatever_they_have_discarded():
    game, state = scene([PRIEST, PRIEST, SPY], PRINCE, deck=[GUARD])
    turn(game, state, play_number(PRINCE, 2), ("draw", GUARD))
    assert ended(game, state)["winners"] == [0, 1]
    assert ended(game, state)["tokens"] == [1, 1, 1]  # the last for the Spy
    values = [0.0] * 3
    returns(game, state, values)
    assert values == [0.25, 0.25, -0.5]


def test_the_spy_bonus_goes_to_the_only_surviving_player_with_a_spy_even_if_it_won():
    game, state = scene([SPY, PRIEST], KING, deck=[])
    turn(game, state, play_number(SPY))
    assert (ended(game, state)["spy_bonus"], ended(game, state)["tokens"]) == (0, [2, 0])
    assert points(game, state, 0) == 2


def test_two_players_with_a_spy_get_no_bonus():
    game, state = scene([SPY, SPY], KING, deck=[GUARD])
    turn(game, state, play_number(SPY), ("draw", GUARD), play_number(SPY))
    assert (ended(game, state)["spy_bonus"], ended(game, state)["tokens"]) == (None, [1, 0])


def test_two_spies_of_one_player_still_give_one_token():
    game, state = scene([SPY, KING], SPY, deck=[PRIEST, HANDMAID])
    turn(game, state, play_number(SPY), ("draw", PRIEST), play_number(PRIEST, 0))
    turn(game, state, ("draw", HANDMAID), play_number(SPY))
    assert (ended(game, state)["spy_bonus"], ended(game, state)["tokens"]) == (0, [1, 1])


def test_the_spy_bonus_does_not_count_as_winning_the_round():
    game, state = scene([SPY, KING], PRIEST, deck=[])
    turn(game, state, play_number(SPY))
    assert (ended(game, state)["winners"], ended(game, state)["tokens"]) == ([1], [1, 1])
    values = [0.0, 0.0]
    returns(game, state, values)
    assert values == [-1.0, 1.0]


# A game of several rounds.


def test_the_winner_of_a_round_starts_the_next_which_is_dealt_anew():
    game, state = scene([GUARD, PRIEST], SPY, tokens=2)
    turn(game, state, play_number(GUARD, 1, PRIEST))
    assert mover(game, state) == CHANCE
    assert outcomes(game, state) == [0]
    assert view(game, state, 1)["round_over"]["winners"] == [0]
    play(game, state, 0)
    assert (state[ROUND], view(game, state)["points"]) == (2, [1, 0])
    assert view(game, state)["log"] == []
    assert view(game, state)["unseen"] == [2, 6, 2, 2, 2, 2, 2, 1, 1, 1]
    fresh = start(game).tolist()
    play(game, fresh, 0)
    fresh[ROUND], fresh[TOKENS] = 2, 1
    assert state == fresh


def test_tied_winners_draw_who_starts_the_next_round():
    game, state = scene([PRIEST, PRIEST, SPY], KING, deck=[], tokens=3)
    turn(game, state, play_number(KING, 1))
    assert outcomes(game, state) == [0, 1]


@pytest.mark.parametrize("players", range(2, 7))
def test_a_game_ends_at_the_tokens_of_the_rulebook(players):
    game = make(players=players, tokens="official")
    assert game == make(players=players, tokens=0)
    assert game.tokens == {2: 6, 3: 5, 4: 4, 5: 3, 6: 3}[players] == OFFICIAL_TOKENS[players]


def test_several_players_may_reach_the_tokens_in_one_round_and_all_win():
    game, state = scene([PRIEST, PRIEST, SPY], KING, deck=[], tokens=2)
    state[TOKENS : TOKENS + 3] = [1, 1, 0]
    turn(game, state, play_number(KING, 1))
    assert mover(game, state) == OVER
    values = [0.0] * 3
    returns(game, state, values)
    assert values == [0.25, 0.25, -0.5]


def test_a_spy_may_win_the_game_without_winning_the_round():
    game, state = scene([SPY, KING], PRIEST, deck=[], tokens=3)
    state[TOKENS : TOKENS + 2] = [2, 1]
    turn(game, state, play_number(SPY))
    values = [0.0, 0.0]
    returns(game, state, values)
    assert (mover(game, state), values) == (OVER, [1.0, -1.0])


# The action at a bot's fault, and games that cannot be made.


def test_after_a_fault_the_lowest_legal_card_is_played_on_the_first_legal_target():
    rng = generator(3)
    for players in range(2, 7):
        game = make(players=players)
        for _ in range(20):
            state, out, weights = start(game).tolist(), [0] * 64, [0.0] * 10
            while mover(game, state) != OVER:
                if mover(game, state) == CHANCE:
                    play(game, state, draw(game, state, out, weights, rng))
                    continue
                assert (
                    fault_action(game, state, mover(game, state)) == legal_actions(game, state)[0]
                )
                play(game, state, pick(game, state, out, rng))


def test_a_random_action_is_drawn_once_from_the_legal_ones_in_their_order():
    for players in range(2, 7):
        game, rng, again = make(players=players), generator(1), generator(1)
        state, out, weights = start(game).tolist(), [0] * 64, [0.0] * 10
        while mover(game, state) != OVER:
            again[:] = rng
            if mover(game, state) == CHANCE:
                action = draw(game, state, out, weights, rng)
            else:
                listed_actions = legal_actions(game, state)
                action = pick(game, state, out, rng)
                assert action == listed_actions[below(again, len(listed_actions))]
            play(game, state, action)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"players": 1}, "players must be in 2..6 with the 2019 deck, got 1"),
        ({"players": 7}, "players must be in 2..6"),
        ({"players": True}, "players must be in 2..6"),
        ({"players": 5, "deck": "classic"}, "players must be in 2..4 with the classic deck, got 5"),
        ({"deck": "2012"}, "deck must be 2019 or classic, got '2012'"),
        ({"tokens": 21}, "tokens must be in 1..20, or 0 or 'official', got 21"),
        ({"tokens": -1}, "tokens must be in 1..20"),
        ({"tokens": "all"}, "tokens must be in 1..20"),
        ({"tokens": True}, "tokens must be in 1..20"),
    ],
)
def test_a_table_that_cannot_be_is_refused(values, words):
    with pytest.raises(GameError, match=words):
        make(**values)


def test_a_table_is_made_again_from_its_parameters():
    for game in (make(), make(players=6, tokens=0), make(players=3, deck="classic")):
        assert make(**parameters(game)) == game
