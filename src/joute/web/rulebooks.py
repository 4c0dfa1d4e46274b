"""The rules of games in pages: their texts, and the positions that boards draw beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

from joute.core.card import Card
from joute.core.errors import GameError
from joute.core.interface import describe, mover, properties, render
from joute.core.registry import card
from joute.i18n.words import say
from joute.play.rulebook import Drawn, Illustration, Items, Paragraph, drawn, rulebook
from joute.web.positions import facts, position

KINDS = {Paragraph: "sentences", Items: "items", Illustration: "drawings"}


class RulebookSection(NamedTuple):
    """Parts of one kind that follow each other: "sentences", "items" or "drawings"."""

    kind: str
    parts: list[Any]  # lines, or `Illustration`s


def sections(game: str) -> list[RulebookSection]:
    """The rules of the game of this name, in the language spoken now. Raises GameError."""
    return list(_sections(card(game)))


def _sections(brought: Card) -> Iterator[RulebookSection]:
    for kind, parts in groupby(rulebook(brought).parts, key=lambda part: KINDS[type(part)]):
        lines = [part if isinstance(part, Illustration) else part.words for part in parts]
        yield RulebookSection(
            kind, [each for line in lines for each in line] if kind == "items" else lines
        )


def drawings(game: str) -> Mapping[str, dict[str, Any]]:
    """The drawings of the rules of a game, by name, as `rules.js` needs them.

    One that cannot be made is left out: its caption stands alone. Raises GameError for no game.
    """
    found: dict[str, dict[str, Any]] = {}
    brought = card(game)
    for each in rulebook(brought).drawings:
        with suppress(GameError):
            found[each.name] = _sent(drawn(brought, each.name))
    return found


def texts(game: str) -> Mapping[str, str]:
    """The drawings as text, by name, until a board has drawn them; those that can be made."""
    found: dict[str, str] = {}
    brought = card(game)
    for each in rulebook(brought).drawings:
        with suppress(GameError):
            shown = drawn(brought, each.name)
            found[each.name] = render(shown.game, shown.step.state, shown.seat)
    return found


def _sent(shown: Drawn) -> dict[str, Any]:
    game, step = shown.game, shown.step
    known = properties(game)
    names = say("rulebook.names").split()[: known.players]
    eyes = None if shown.seat is None else {shown.seat}
    viewer: int | str = 0
    if known.hidden_information:
        viewer = "all" if shown.seat is None else shown.seat
    sent = {
        "facts": facts(game, names, ["bot"] * known.players),
        "position": position(game, step, names, eyes),
        "viewer": viewer,
    }
    if shown.choices:
        named = [[action, describe(game, step.state, action)] for action in shown.choices]
        player = int(mover(game, step.state))
        sent["ask"] = {"number": 0, "player": player, "actions": named, "live": False}
    return sent
