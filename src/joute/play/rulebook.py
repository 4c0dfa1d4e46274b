"""The rules of a game for people: a few sentences, special cases, and drawings of positions.

A game brings them in the folder `rulebook` beside its card. `LANGUAGE.md` is Markdown: paragraphs,
lists of `- `, words in `**bold**`, and drawings, each a line `![caption](name)`. What is drawn
stands once for all languages in `drawings.toml`, a table for each name:

    [name]
    parameters = { size = 5 }                # of the game; the usual ones may be left out
    actions = ["player 0 starts", "b2"]      # played before, outcomes of chance included, as the
                                             # game writes them; a list of texts is one turn
    choices = true                           # whether the legal actions are shown
    seat = 0                                 # whose eyes; without it, everything is seen

In the place of `actions`, `seed` and `ply` name a position of a game played at random. A game that
brings no rulebook has one made of its docstring and its parameters.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from joute.core.card import Card
from joute.core.errors import ActionError, GameError
from joute.core.interface import (
    CHANCE,
    OVER,
    describe,
    draw,
    legal_actions,
    mover,
    parse,
    pick,
    play,
    properties,
    stream,
)
from joute.core.maps import with_map
from joute.core.random import generator
from joute.core.registry import defaults, make
from joute.i18n.words import LANGUAGES, Sentence, language, say
from joute.play.timeline import Step, Timeline
from joute.text import Line

FOLDER = "rulebook"
DRAWINGS = "drawings.toml"
_DRAWING = re.compile(r"!\[([^\]]*)\]\(([^)]*)\)")
_TABLE = re.compile(r"(?m)^\[([\w-]+)\]")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
# What begins a docstring's paragraph that is no rule: on states, actions, sources.
_LAYOUT = re.compile(r"(?:States?|Actions?|Outcomes?|Sources?):\s")


class Paragraph(NamedTuple):
    """Sentences."""

    words: Line


class Items(NamedTuple):
    """A list."""

    words: list[Line]


class Illustration(NamedTuple):
    """A position that is drawn; `name` is its table in `drawings.toml`."""

    name: str
    caption: Line


class Rulebook(NamedTuple):
    """The rules of a game, in one language."""

    parts: list[Paragraph | Items | Illustration]

    @property
    def drawings(self) -> list[Illustration]:
        """The drawings, in their order."""
        return [part for part in self.parts if isinstance(part, Illustration)]


class DrawingTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of `drawings.toml`."""

    parameters: dict[str, Any] = {}
    actions: list[str | list[str]] = []
    seed: int | None = None
    ply: int = 0
    choices: bool = False
    seat: int | None = None


class Drawn(NamedTuple):
    """A position to be drawn, with what led to it."""

    game: Any
    step: Step
    seat: int | None
    choices: list[int]  # the legal actions to be shown


def rulebook(brought: Card) -> Rulebook:
    """The rules of the game of a card, in the language spoken now if the game has them in it."""
    for each in dict.fromkeys((language(), *LANGUAGES)):
        if file := brought.file(f"{FOLDER}/{each}.md"):
            return Rulebook(list(_parts(file.read_text(encoding="utf-8"))))
    return Rulebook(list(_made(brought)))


def drawings_named(brought: Card) -> Iterator[tuple[str, str, int]]:
    """The drawings that the rules of a card name, each once, with the file and line of the first.

    That is the line of its table, and of its caption where it has none.
    """
    told: dict[str, tuple[str, int]] = {}
    for each in (DRAWINGS, *(f"{spoken}.md" for spoken in LANGUAGES)):
        file = brought.file(f"{FOLDER}/{each}")
        pattern = _TABLE if each == DRAWINGS else _DRAWING
        text = file.read_text(encoding="utf-8") if file else ""
        for found in re.finditer(pattern, text):
            line = text.count("\n", 0, found.start()) + 1
            told.setdefault(found[found.re.groups], (str(file), line))
    yield from ((name, *place) for name, place in told.items())


def _parts(text: str) -> Iterator[Paragraph | Items | Illustration]:
    """The parts of a text in Markdown; titles are left out."""
    for block in re.split(r"\n\s*\n", text.strip()):
        if found := _DRAWING.fullmatch(block.replace("\n", " ").strip()):
            yield Illustration(found[2], _line(found[1]))
        elif block.startswith("- "):
            yield Items([_line(item) for item in re.split(r"(?m)^- ", block)[1:]])
        elif not block.startswith("#"):
            yield Paragraph(_line(block))


def _line(text: str) -> Line:
    """A text in one line, with its bold words; spaces that do not break stay what they are."""
    pieces = _BOLD.split(re.sub(r"[ \t\n]+", " ", text).strip(" "))
    return [(piece, "bold" if at % 2 else "") for at, piece in enumerate(pieces) if piece]


def _made(brought: Card) -> Iterator[Paragraph | Items]:
    """The rules of a game that brings none: what its rules' module says, and its parameters."""
    maker = brought.load(brought.rules)
    module = inspect.getmodule(maker)
    paragraphs = re.split(r"\n\s*\n", inspect.getdoc(module) or inspect.getdoc(maker) or "")
    told = [_line(each) for each in paragraphs if each and not _LAYOUT.match(each)]
    yield from map(Paragraph, told or [_line(say("rulebook.none"))])
    if usual := defaults(brought.name):
        told = [_line(say("rulebook.parameter", name=k, value=v)) for k, v in usual.items()]
        yield Paragraph(_line(say("rulebook.parameters")))
        yield Items(told)


def drawn(brought: Card, name: str) -> Drawn:
    """The position of a drawing. Raises GameError where it is none of the game."""
    file = brought.file(f"{FOLDER}/{DRAWINGS}")
    try:
        tables = _tables(file) if file else {}
        if name not in tables:
            known = ", ".join(tables) or Sentence("error.none")
            raise GameError(Sentence("error.rulebook.unknown", known=known))
        return _drawn(brought, tables[name])
    except (GameError, ActionError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        facts = {"path": file or f"{FOLDER}/{DRAWINGS}", "name": name, "reason": error}
        raise GameError(Sentence("error.rulebook", **facts)) from None


def _tables(file: Path) -> dict[str, DrawingTable]:
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    return msgspec.convert(found, dict[str, DrawingTable])


def _drawn(brought: Card, wanted: DrawingTable) -> Drawn:
    game = make(brought.name, **with_map(brought.name, wanted.parameters))
    timeline = Timeline(game)
    if wanted.seed is None:
        _play(timeline, wanted.actions)
    else:
        _play_at_random(timeline, wanted.seed, wanted.ply)
    chooses = wanted.choices and mover(game, timeline.state) >= 0
    choices = legal_actions(game, timeline.state) if chooses else []
    return Drawn(game, timeline.steps[-1], wanted.seat, choices)


def _play(timeline: Timeline, turns: list[str | list[str]]) -> None:
    """Plays actions and outcomes as they are written; those of a list as one turn."""
    game = timeline.game
    for turn in turns:
        after, actions = list(timeline.state), []
        for text in [turn] if isinstance(turn, str) else turn:
            action = int(parse(game, after, text))
            if mover(game, after) == OVER or not _possible(game, after, action):
                raise ActionError(text, Sentence("error.rulebook.illegal"))
            actions.append(action)
            play(game, after, action)
        _hear(timeline, actions)


def _play_at_random(timeline: Timeline, seed: int, plies: int) -> None:
    game, rng = timeline.game, generator(seed)
    facts = properties(game)
    out, weights = [0] * max(facts.max_legal, facts.max_outcomes), [0.0] * facts.max_outcomes
    for _ in range(plies):
        player = mover(game, timeline.state)
        if player == OVER:
            return
        if player == CHANCE:
            action = draw(game, timeline.state, out, weights, rng)
        else:
            action = pick(game, timeline.state, out, rng)
        _hear(timeline, [int(action)])


def _possible(game: Any, state: Any, action: int) -> bool:
    """Whether an action is legal; outcomes of chance are as their text says."""
    return mover(game, state) == CHANCE or action in legal_actions(game, state)


def _hear(timeline: Timeline, actions: list[int]) -> None:
    """Lets a timeline follow actions, as those of a line of a record."""
    game, state = timeline.game, timeline.state
    player = int(mover(game, state))
    line: dict[str, Any] = {"ply": sum(map(_count, timeline.lines)), "by": "bot", "player": player}
    if player == CHANCE:
        line = {"ply": line["ply"], "by": "chance", "stream": stream(game, state)}
    played = actions if len(actions) > 1 else actions[0]
    timeline.hear({**line, "action": played, "text": describe(game, state, actions[0])})


def _count(line: dict[str, Any]) -> int:
    action = line["action"]
    return len(action) if isinstance(action, list) else 1
