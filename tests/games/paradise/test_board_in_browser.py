"""The table of Paradise in a browser.

Whatever it shows is held against what its viewer observes; whatever it answers, against what the
game allows.
"""

import bisect

from web.card_tables import again, duel, event, first, labels, legal, seen, texts

from joute.games.paradise.state import AIM, AIMS, BOOK, MINION, PLAY, STRIKE, TARGETS
from joute.i18n.words import LANGUAGES, catalog

# Pictures


def rows(page):
    """By side, below and above, the minions: name, attack, health."""
    found = labels(page, ".board .cell.minion[data-at]")
    sides = texts(page, ".board .cell.minion[data-at]", "Number(e.dataset.at.split('-')[1])")
    split = [label.split(", ") for label in found]
    minions = [
        (name, *(int(each.split(" ")[1]) for each in figures[:2])) for name, *figures in split
    ]
    return [
        [each for each, side in zip(minions, sides, strict=True) if side == which]
        for which in (0, 1)
    ]


def test_the_boards_show_minions_heroes_and_hand_as_they_are_observed(look):
    shown = duel(48)
    page, mine = look(shown), seen(shown)
    boards = [
        [(BOOK[m["card"]].title, m["attack"], m["health"]) for m in side] for side in mine["boards"]
    ]
    assert boards == rows(page)
    heroes = labels(page, ".board .cell[data-at$='--1']")
    assert [each.split(",")[0] for each in heroes] == ["Bot 1", "Bot 0"]
    assert [f" {mine['health'][seat]} health" for seat in (1, 0)] == [
        each.split(",")[1] for each in heroes
    ]
    assert mine["hand"] == texts(page, ".duelhand button", "Number(e.dataset.card)")
    assert [f"{mine['mana'][0]} of {mine['max_mana'][0]} mana"] == labels(page, ".mana")


def test_minions_that_died_still_stand_crossed_out_beside_the_arrow(look):
    shown = first(
        range(20, 99), lambda shown: "dead" in event(shown) and event(shown)["action"] >= STRIKE
    )
    page = look(shown)
    assert len(event(shown)["dead"]) == len(texts(page, ".minion.dead .cross"))
    assert len(texts(page, ".strike.past .arrow")) == 1
    assert rows(page) == [
        [(BOOK[m["card"]].title, m["attack"], m["health"]) for m in side]
        for side in seen(shown)["boards"]
    ]
    page.key("a")  # choosing what is next puts the fallen away
    assert texts(page, ".minion.dead, .strike.past") == []


def test_a_lethal_turn_is_announced(look):
    shown = duel(40, when=lambda mine: "lethal" in mine["remarks"])
    assert "You can win" in look(shown).text(".alarm")
    assert texts(look(duel(8)), ".alarm") == []


def test_the_text_of_a_card_is_told_in_the_language_of_the_page(look):
    shown = duel(8)
    for language in LANGUAGES:
        page = look(shown, language=language)
        for place, card in enumerate(seen(shown)["hand"]):
            page.click(f"[data-at='card-3-{place}']")
            _, title, text = catalog(language)[f"play.paradise.card.{card}"].split(" | ")
            told = page.text(".details")
            assert title in told
            assert text in told
            page.key("Escape")


def test_with_all_eyes_open_both_hands_are_shown(look):
    shown = duel(20, eyes=None)
    page = look(shown, viewer="all")
    hands = [seen(shown, seat)["hand"] for seat in (1, 0)]
    assert [card for hand in hands for card in hand] == texts(
        page, ".duelhand button", "Number(e.dataset.card)"
    )


# Choices


def order(page, action):
    """Chooses an action by keys."""
    page.key("Escape")
    if action < PLAY:
        page.key("ep"[action])
        return
    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        chosen = f"document.querySelector('.chosen')?.dataset.at === 'board-0-{number}'"
        while not page.evaluate(chosen):
            page.key("a")
    else:
        place, target = (action - PLAY, None) if action < AIM else divmod(action - AIM, AIMS)
        page.key(str((place + 1) % 10))
    if target is not None:
        while not page.evaluate(
            f"!!document.querySelector('.aimed[data-at=\"board-1-{target - 1}\"]')"
        ):
            page.key("t")
    page.key("Enter")


def press(page, action):
    """Chooses an action by the mouse."""
    if action < PLAY:
        page.click(["[data-at=end]", "[data-at=power]"][action])
        return
    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        page.click(f"[data-at='board-0-{number}']")
    else:
        place, target = (action - PLAY, None) if action < AIM else divmod(action - AIM, AIMS)
        page.click(f"[data-at='card-3-{place}']")
    page.click("[data-at=play]" if target is None else f"[data-at='board-1-{target - 1}']")


def kind(action):
    """One of five: the end, the power, a card, a card with a target, an attack."""
    return bisect.bisect((1, PLAY, AIM, STRIKE), action)


def test_every_action_of_paradise_can_be_chosen_by_keys_and_by_the_mouse(look):
    shown = first(range(20, 99), lambda shown: len({kind(action) for action in legal(shown)}) == 5)
    page = look(shown)
    for way in (order, press):
        for action in legal(shown):
            way(page, action)
            again(page)
    assert legal(shown) * 2 == page.evaluate("answers")


def test_minions_and_cards_can_be_dragged_to_their_targets(look):
    shown = first(range(20, 99), lambda shown: len({kind(action) for action in legal(shown)}) == 5)
    page = look(shown)
    wanted = []
    for action in legal(shown):
        if kind(action) in (kind(PLAY), kind(AIM), kind(STRIKE)) and kind(action) not in map(
            kind, wanted
        ):
            wanted.append(action)
            page.drag(*ends(action))
            again(page)
    assert len(wanted) == 3
    assert wanted == page.evaluate("answers")


def ends(action):
    """The places where the mouse is pressed and let go for an action."""
    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        return f"[data-at='board-0-{number}']", f"[data-at='board-1-{target - 1}']"
    place, target = (action - PLAY, None) if action < AIM else divmod(action - AIM, AIMS)
    return (
        f"[data-at='card-3-{place}']",
        "svg.board" if target is None else f"[data-at='board-1-{target - 1}']",
    )


def test_a_card_chosen_twice_is_played_and_one_that_cannot_be_played_is_only_looked_at(look):
    shown = duel(8)
    plain = next(action for action in legal(shown) if PLAY <= action < AIM)
    costly = next(place for place, card in enumerate(seen(shown)["hand"]) if BOOK[card].cost > 1)
    page = look(shown)
    page.click(f"[data-at='card-3-{costly}']")
    page.click(f"[data-at='card-3-{costly}']")
    assert page.evaluate("answers") == []
    page.click(f"[data-at='card-3-{plain - PLAY}']")
    page.click(f"[data-at='card-3-{plain - PLAY}']")
    assert [plain] == page.evaluate("answers")


def test_arrows_walk_over_hands_and_boards_from_one_stop_of_tab(look):
    shown = duel(55)
    page = look(shown)
    assert (
        page.evaluate("document.querySelectorAll('.duel [data-row][tabindex=\"0\"]').length") == 1
    )
    page.evaluate("document.querySelector('.duel [tabindex=\"0\"]').focus()")
    here = "document.activeElement.dataset.at"
    for key, place in [
        ("ArrowRight", "card-3-1"),
        ("ArrowUp", "board-0-0"),
        ("ArrowLeft", "board-0--1"),
        ("ArrowUp", "board-1--1"),
    ]:
        page.key(key)
        assert place == page.evaluate(here)
    page.key("Enter")  # a hero is no source
    assert page.evaluate("answers") == []


# The drawing


def test_nothing_is_wider_than_a_phone_or_a_projector(look):
    page = look(duel(55))
    page.key("1")
    for size in ((390, 844), (1920, 1080)):
        page.size(*size)
        assert page.overflow() == []


def test_on_a_phone_the_heroes_of_paradise_stand_at_the_ends(look):
    page = look(duel(55), (390, 844))
    ends = """(() => {
      const tops = (marked) => [...document.querySelectorAll(marked)]
        .map((each) => each.getBoundingClientRect().top);
      const [minions, heroes] = [tops(".cell.minion"), tops(".board .cell[data-at$='--1']")];
      return Math.min(...heroes) < Math.min(...minions)
        && Math.max(...heroes) > Math.max(...minions);
    })()"""
    assert page.evaluate(ends)
    page.size(1280, 900)
    page.wait_for(f"!{ends}")


def test_everything_that_can_be_pressed_or_seen_has_a_name(look):
    nameless = "[role=button], [role=img], button, section, [role=group]"
    bare = "!e.getAttribute('aria-label') && !e.textContent.trim()"
    page = look(duel(55), language="fr")
    page.key("1")
    assert [
        each for each in texts(page, f".drawn :is({nameless})", f"{bare} && e.outerHTML") if each
    ] == []
    assert [
        each
        for each in texts(page, ".drawn *", "e.children.length ? '' : e.textContent")
        if each.startswith(("cards.", "duel."))
    ] == []


def test_what_is_printed_on_cards_is_what_the_rules_say(look):
    page = look(duel(8))
    module = "import(`${files}games/paradise/cards.js`)"
    printed = page.evaluate(f"{module}.then(m => [...Array(18).keys()].map(m.printed))")
    for card, found in zip(BOOK, printed, strict=True):
        minion = card.kind == MINION
        figures = (card.attack, card.health) if minion else (None, None)
        assert (card.cost, *figures) == (found["cost"], found["attack"], found["health"])
        assert minion != found["spell"]
