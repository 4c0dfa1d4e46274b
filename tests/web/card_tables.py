"""Scenes of Love Letter and Paradise for the tests of their tables, and what pages show of them."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from web.browser import Page
from web.gallery import Scene, scene

Seen = dict[str, Any]


def letters(step: int = 0, players: int = 4, eyes: Any = (0,), **options: Any) -> Scene:
    """A scene of Love Letter in which player 0 is asked."""
    options = {"players": players, "tokens": 8, **options}
    return _found(scene("love-letter", step, ("builtin:random",) * players, eyes, **options))


def duel(step: int = 0, eyes: Any = (0,), **options: Any) -> Scene:
    """A scene of Paradise in which player 0 is asked."""
    bots = options.pop("bots", ("builtin:greedy", "builtin:curve"))
    return _found(scene("paradise", step, bots, eyes, **options))


def _found(shown: Scene) -> Scene:
    assert shown.ask, "no such position in this game"
    del shown.positions[:-3]
    return shown


def first(steps: Iterable[int], condition: Callable[[Scene], bool]) -> Scene:
    """The first scene of Paradise from one of the steps on of which a condition is true."""
    return next(shown for step in steps if condition(shown := duel(step)))


def event(shown: Scene) -> dict[str, Any]:
    """The last thing that happened."""
    found: dict[str, Any] = shown.positions[-1]["events"][-1]
    return found


def seen(shown: Scene, seat: int = 0) -> Seen:
    """The observation of a seat in the last position."""
    found: Seen = shown.positions[-1]["seen"][str(seat)]
    return found


def legal(shown: Scene) -> list[int]:
    """The actions of the player who is asked."""
    assert shown.ask
    return [action for action, _ in shown.ask["actions"]]


def texts(page: Page, selector: str, value: str = "e.textContent.trim()") -> Any:
    """The texts of all such elements, or a value of each."""
    return page.evaluate(
        f"[...document.querySelectorAll({json.dumps(selector)})].map(e => {value})"
    )


def labels(page: Page, selector: str) -> Any:
    """The names of all such elements."""
    return texts(page, selector, "e.getAttribute('aria-label')")


def again(page: Page) -> Any:
    """Asks the same once more; what has been answered so far."""
    page.evaluate("board.ask(asked, (action) => answers.push(action))")
    return page.evaluate("answers")
