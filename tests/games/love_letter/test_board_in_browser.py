"""The table of Love Letter in a browser.

Whatever it shows is held against what its viewer observes; whatever it answers, against what the
game allows.
"""

import pytest
from web.card_tables import again, labels, legal, letters, seen, texts
from web.gallery import scene

from joute.core.interface import decisions
from joute.games.love_letter.state import CARDS, CHOICE, CLASSIC_COPIES, COPIES, NOBODY, SINGLE
from joute.i18n.words import catalog

NAMES = [catalog("en")[f"love_letter.card.{card}"] for card in range(CARDS)]
MODULE = "import(`${files}games/love-letter/%s.js`)"


# Pictures


def test_a_table_of_love_letter_shows_who_has_what_in_front_of_it(look):
    shown = letters(30)
    page, mine = look(shown), seen(shown)
    for player, cards in enumerate(mine["discards"]):
        drawn = labels(page, f"[data-seat='{player}'] .fan .small")
        unknown = 0 if player == 0 or player not in mine["alive"] else 1
        assert [NAMES[card] for card in cards] == [
            each.split(" ")[0].strip(",") for each in drawn[unknown:]
        ]
        assert unknown == len([each for each in drawn if "In the hand" in each])
    assert [NAMES[card] for card in mine["hand"]] == texts(
        page, ".hand .card svg .serif:nth-of-type(2)"
    )
    assert str(mine["deck_size"]) == page.text(".mid figure:first-child b")
    tokens = [f"{points} of 8 tokens" for points in mine["points"]]
    assert [*tokens[1:], tokens[0]] == texts(page, ".ll-line > .nowrap")
    few = letters(30, tokens=4)
    tokens = [f"{points} of 4 tokens" for points in seen(few)["points"]]
    assert [*tokens[1:], tokens[0]] == labels(look(few), ".tokens")


def test_the_characters_are_counted_as_far_as_they_are_unseen(look):
    for parameters in ({}, {"deck": "classic"}):
        shown = letters(20, **parameters)
        page, copies = look(shown), CLASSIC_COPIES if parameters else COPIES
        expected = [
            f"{left} of {count} unseen"
            for left, count in zip(seen(shown)["unseen"], copies, strict=True)
            if count
        ]
        assert expected == labels(page, ".unseen .pips")


def test_what_only_the_viewer_knows_is_marked(look):
    shown = letters(when=lambda mine: mine["known"], step=11)
    [[holder, card], *_] = seen(shown)["known"]
    page = look(shown)
    assert f"you saw: {NAMES[card]}" in texts(page, f"[data-seat='{holder}'] .secret")
    assert f"In the hand, you saw it: {NAMES[card]}" in labels(
        page, f"[data-seat='{holder}'] .small"
    )


def test_a_wrong_guess_tells_what_a_player_does_not_hold(look):
    shown = letters(54, when=lambda mine: any(mine["remarks"]["missed"]))
    page, missed = look(shown), seen(shown)["remarks"]["missed"]
    for player, cards in enumerate(missed):
        for card in cards:
            assert f"not: {NAMES[card]}" in texts(page, f"[data-seat='{player}'] .badge")


def test_protected_players_and_those_who_are_out_are_named_so(look):
    shown = letters(when=lambda mine: mine["protected"] and len(mine["alive"]) < 4)
    page, mine = look(shown), seen(shown)
    protected = texts(page, ".ll-seat.safe", "Number(e.dataset.seat)")
    out = texts(page, ".ll-seat.out", "Number(e.dataset.seat)")
    assert mine["protected"] == sorted(protected)
    assert sorted({0, 1, 2, 3} - set(mine["alive"])) == sorted(out)
    assert "out" in page.text(f"[data-seat='{out[0]}'] .badge")


def test_own_cards_under_the_deck_are_remembered_and_others_are_not_shown(look):
    own = letters(when=lambda mine: mine["bottom"] and None not in dict(mine["bottom"]).values())
    cards = [card for _, card in seen(own)["bottom"]]
    assert [f"{NAMES[card]}, of Bot 0" for card in cards] == texts(look(own), ".mid .know .secret")
    other = letters(when=lambda mine: any(card is None for _, card in mine["bottom"]))
    assert texts(look(other), ".mid .know .badge")[-1].startswith("of Bot ")


def test_with_all_eyes_open_every_hand_is_shown(look):
    shown = letters(30, eyes=None)
    page = look(shown, viewer="all")
    for player in range(4):
        hand = [f"In the hand: {NAMES[card]}" for card in seen(shown, player)["hand"]]
        assert hand == labels(page, f"[data-seat='{player}'] .held")
    assert texts(page, ".unseen") == []


def test_the_end_of_a_round_is_told_until_the_viewer_has_played_in_the_next(look):
    shown = scene(
        "love-letter", 0, ("builtin:random",) * 4, (0,), in_second_round, players=4, tokens=8
    )
    last = max(at for at, each in enumerate(shown.positions) if ended(each))
    del shown.positions[:last]
    page = look(shown)
    assert texts(page, ".whole > .note") == []
    page.evaluate("positions.forEach((each) => board.show(each, {viewer: 0, quick: true}))")
    assert page.text(".whole > .note").startswith("Round 1: ")
    page.evaluate("board.ask(asked, (action) => answers.push(action))")
    say(page, legal(shown)[0], seen(shown))
    assert texts(page, ".whole > .note") == []


def in_second_round(mine):
    return mine["round"] == 2


def ended(position):
    return any("round_over" in event for event in position["events"])


# Choices


def say(page, action, seen):
    """Chooses an action by keys."""
    page.key("Escape")
    if action >= CHOICE:
        keep, *rest = map(
            int, str(action - SINGLE).zfill(2) if action >= SINGLE else f"{action - CHOICE:03}"
        )
        page.key(str(seen["hand"].index(keep) + 1))
        orders = texts(page, ".targets label:has([name=ll-order])")
        for _ in range(orders.index(", then ".join(NAMES[card] for card in rest))):
            page.key("t")
    else:
        card, how = divmod(action, 64)
        page.key(str(seen["hand"].index(card) + 1))
        if how < NOBODY:
            while not page.evaluate(
                f"document.querySelector('[name=ll-target][value=\"{how // 10}\"]').checked"
            ):
                page.key("t")
            if card == 1:
                page.key(str(how % 10))
    page.key("Enter")


def point(page, action, seen):
    """Chooses an action of a card by the mouse."""
    card, how = divmod(action, 64)
    page.click(f".hand label:nth-child({seen['hand'].index(card) + 1})")
    if how < NOBODY:
        target, guess = divmod(how, 10)
        page.click(f".opps [data-seat='{target}']" if target else ".targets label:has([value='0'])")
        if card == 1:
            page.click(f".guess label:has([value='{guess}'])")
    page.click(".choice .primary")


def some(actions):
    """The first, the last and one in the middle."""
    return sorted({actions[0], actions[len(actions) // 2], actions[-1]})


@pytest.mark.parametrize("hand", [{1, 5}, {2, 3}, {4, 6}, {0, 7}])
def test_every_kind_of_choice_can_be_made_by_keys_and_by_the_mouse(look, hand):
    shown = letters(players=3, when=lambda mine: set(mine["hand"]) & hand)
    page = look(shown)
    chosen = [action for action in legal(shown) if action // 64 in hand]
    wanted = some(chosen)
    for way in (say, point):
        for action in wanted:
            way(page, action, seen(shown))
            again(page)
    assert [*wanted, *wanted] == page.evaluate("answers")


def test_a_chancellor_keeps_any_card_and_returns_the_others_in_any_order(look):
    shown = letters(when=lambda mine: mine["phase"] == "chancellor" and len(set(mine["hand"])) == 3)
    page = look(shown)
    for action in legal(shown):
        say(page, action, seen(shown))
        again(page)
    assert legal(shown) == page.evaluate("answers")


def test_a_forced_countess_is_chosen_already_and_explained(look):
    shown = letters(
        players=2,
        tokens=20,
        when=lambda mine: any("Countess must" in note for note in mine["remarks"]["notes"]),
    )
    page = look(shown)
    forced = [card == 8 for card in seen(shown)["hand"]]
    assert forced == texts(page, "[name=ll-card]", "e.checked")
    assert [not each for each in forced] == texts(page, "[name=ll-card]", "e.disabled")
    assert "Countess must be played" in page.text(".choice .note")
    page.key("Enter")
    assert legal(shown) == page.evaluate("answers")


def test_a_name_that_cannot_be_there_is_crossed_out_and_may_still_be_said(look):
    shown = letters(
        40,
        when=lambda mine: 1 in mine["hand"] and 0 in mine["unseen"] and not mine["protected"],
    )
    page, mine = look(shown), seen(shown)
    gone = [card for card in range(CARDS) if card != 1 and not mine["unseen"][card]]
    guesses = [action for action in legal(shown) if action // 64 == 1 and action % 10 == gone[0]]
    say(page, guesses[0], {**mine, "hand": mine["hand"]})
    assert guesses[:1] == again(page)
    page.key("Escape")
    page.key(str(mine["hand"].index(1) + 1))
    crossed = texts(page, ".guess .absent input", "Number(e.value)")
    assert set(gone) <= set(crossed)


def test_a_hint_marks_the_card_the_target_and_the_name(look):
    shown = letters(when=lambda mine: 1 in mine["hand"] and len(mine["alive"]) > 2)
    page, action = look(shown), next(each for each in legal(shown) if each // 64 == 1)
    page.evaluate(f"board.suggest([{action}])")
    say(page, action + 10, seen(shown)) if action + 10 in legal(shown) else None
    again(page)
    page.evaluate(f"board.suggest([{action}])")
    assert len(texts(page, ".hand .hinted")) == 1
    assert page.evaluate("board.suggest([]), [...document.querySelectorAll('.hinted')]") == []


def test_actions_are_read_as_the_game_means_them(look):
    shown = letters(54)
    page = look(shown)
    read = page.evaluate(f"{MODULE % 'choice'}.then(m => asked.actions.map(([a]) => m.read(a)))")
    for action, found in zip(legal(shown), read, strict=True):
        card, *how = decisions(shown.game, shown.state, action)
        assert card == found["card"]
        if found["target"] is not None:
            assert how == [found["target"], found["guess"] or 0]


# The drawing


def test_nothing_is_wider_than_a_phone_or_a_projector(look):
    for shown in (letters(54), letters(30, players=6)):
        page = look(shown)
        page.key("1")
        for size in ((390, 844), (1920, 1080)):
            page.size(*size)
            assert page.overflow() == []


def test_everything_that_can_be_pressed_or_seen_has_a_name(look):
    nameless = "[role=button], [role=img], button, section, [role=group]"
    bare = "!e.getAttribute('aria-label') && !e.textContent.trim()"
    page = look(letters(54), language="fr")
    page.key("1")
    assert [
        each for each in texts(page, f".drawn :is({nameless})", f"{bare} && e.outerHTML") if each
    ] == []
    assert [
        each
        for each in texts(page, ".drawn *", "e.children.length ? '' : e.textContent")
        if each.startswith(("cards.", "duel."))
    ] == []


def test_the_copies_that_are_drawn_are_those_of_the_rules(look):
    page = look(letters())
    copies = page.evaluate(f"{MODULE % 'cards'}.then(m => ['2019', 'classic'].map(m.copies))")
    assert [list(COPIES), list(CLASSIC_COPIES)] == [[*each] for each in copies]
