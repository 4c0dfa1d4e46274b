"""Boards in a page of their own: positions of games that built-in bots played, without a table.

`hang(site, scene(...))` gives the address of a page. In it `board` is the board, `positions` are
those of the scene, `answers` is what was answered and `previews` what was asked beforehand.
"""

import functools
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from fastapi import Request, Response

from joute.core.interface import describe, legal_actions, mover
from joute.core.registry import make
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.timeline import Step, Timeline
from joute.web.pages import page
from joute.web.positions import facts, position
from joute.web.templating import TEMPLATES

SCRIPT = Path(__file__).with_name("gallery.js")
PAGE = """{% extends "base.html" %}{% block main %}<div class="play wide">
<div class="boardbox" id="place"></div></div>
<script type="application/json" id="scene">{{ scene|safe }}</script>
<script type="module" src="/gallery.js"></script>{% endblock %}"""

_numbers = itertools.count()


class Scene(NamedTuple):
    """A game up to a position, and what the player to move may do there."""

    game: Any
    facts: dict[str, Any]
    positions: list[dict[str, Any]]
    state: list[int]  # of the last position
    ask: dict[str, Any] | None


def scene(
    name: str,
    step: int,
    bots: tuple[str, ...] = ("builtin:random",) * 2,
    eyes: tuple[int, ...] | None = None,
    when: Callable[[dict[str, Any]], bool] = lambda seen: True,
    **parameters: Any,
) -> Scene:
    """A game up to the first position from `step` on in which a player is asked, or to its end.

    With the eyes of these seats only, and in a position where one of them is asked and sees what
    `when` says.
    """
    timeline = _timeline(name, json.dumps(parameters), bots)
    seats = range(len(bots)) if eyes is None else eyes
    names = [f"Bot {seat}" for seat in range(len(bots))]

    def fits(each: Step) -> bool:
        if each.mover not in seats:
            return False
        found = position(timeline.game, each, names, eyes)["seen"]
        return when(found.get(str(each.mover), found.get("0")))

    asked = next((each.number for each in timeline.steps[step:] if fits(each)), None)
    steps = timeline.steps if asked is None else timeline.steps[: asked + 1]
    state = list(steps[-1].state)
    return Scene(
        game=timeline.game,
        facts=facts(timeline.game, names, ["builtin"] * len(bots)),
        positions=[position(timeline.game, each, names, eyes) for each in steps],
        state=state,
        ask=None if asked is None else _question(timeline.game, state),
    )


@functools.cache
def _timeline(name: str, parameters: str, bots: tuple[str, ...]) -> Timeline:
    chosen = json.loads(parameters)
    seats = tuple(SeatSpec(name=f"Bot {seat}", bot=bot) for seat, bot in enumerate(bots))
    spec = GameSpec(game=name, parameters=chosen, bots=seats, seed=f"{1:032x}")
    record = read_record(play_game(spec).record)
    timeline = Timeline(make(name, **chosen))
    for line in [*record.plies, record.end]:
        timeline.hear(line)
    return timeline


def _question(game: Any, state: list[int]) -> dict[str, Any]:
    actions = legal_actions(game, state)
    return {
        "number": 1,
        "player": int(mover(game, state)),
        "actions": [[action, describe(game, state, action)] for action in actions],
    }


def hang(site: Any, shown: Scene, **options: Any) -> str:
    """The address at which a site shows a scene.

    Options: `module` (whose drawing, by a game's name), `viewer`, `odds` (what previews answer).
    """
    sent = {"facts": shown.facts, "positions": shown.positions, "ask": shown.ask, **options}
    written = json.dumps(sent).replace("</", "<\\/")

    def answer(request: Request) -> Response:
        return page(request, "gallery.html", scene=written)

    templates = site.app.state.templates
    ours = jinja2.DictLoader({"gallery.html": PAGE})
    templates.loader = jinja2.ChoiceLoader([ours, jinja2.FileSystemLoader(TEMPLATES)])
    address = f"/gallery/{next(_numbers)}"
    site.app.add_api_route(address, answer)
    site.app.add_api_route("/gallery.js", _script)
    return f"{site.url}{address}"


def cell(number: int) -> str:
    """The selector of a cell of a grid, numbered row by row."""
    return f'[data-cell="{number}"]'


def labels(page: Any) -> list[str]:
    """The names in words of all cells of a grid."""
    return list(
        page.evaluate("[...document.querySelectorAll('[role=gridcell]')].map(c => c.ariaLabel)")
    )


def _script() -> Response:
    return Response(SCRIPT.read_bytes(), media_type="text/javascript")
