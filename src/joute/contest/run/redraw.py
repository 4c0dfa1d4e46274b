"""Games that count no more because the draw that brought them is another now.

In a knockout, say, other bots meet in the later rounds once a bot has changed, another has come, or
an earlier result counts no more. Nothing is deleted: the games count again where they are drawn
again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from joute.contest.config.contest import Contest, from_json
from joute.contest.contents import known_contents
from joute.contest.errors import Change, RedrawError
from joute.contest.folder import has_store, known_to, opened_store
from joute.contest.run.plan import Plan, planned
from joute.contest.schedule.formats import is_drawn
from joute.contest.schedule.schedule import Slot
from joute.store.columns import object_in

if TYPE_CHECKING:
    from joute.store.store import Store


def undrawn(before: Plan, after: Plan) -> list[Slot]:
    """The places of games that counted before, and that the schedule does not ask for now."""
    asked = {*after.due.waiting(), *(slot for slot, _ in after.places())}
    return [slot for slot, _ in before.counted() if slot not in asked]


def redrawn(contest: Contest, store: Store, contents: Mapping[str, str]) -> RedrawError | None:
    """The error of a contest that is drawn again because its bots are not those that played.

    `contents` are the hashes of their files. None where all meet whom they met, and where a store
    of another version does not tell which bots there were. Raises StoreError.
    """
    if not is_drawn(contest) or not (kept := store.configured()):
        return None
    try:
        then = from_json(kept[-1].configuration)
    except msgspec.ValidationError:  # of another version
        return None
    noted = dict(contents)
    if kept[-1].contents:  # older versions noted none
        noted |= object_in("contest", kept[-1].number, "contents", kept[-1].contents)
    names = [bot.name for bot in contest.bots]
    if not (changes := _changes([bot.name for bot in then.bots], names, noted, contents)):
        return None
    now = {bot.name: bot for bot in contest.bots}
    # Of all that may have changed only the bots: whoever changes a key knows that it is another.
    earlier = msgspec.structs.replace(
        contest, bots=tuple(now.get(bot.name, bot) for bot in then.bots)
    )
    found = known_to(store, contest)
    before = planned(earlier, found._replace(contents=noted))
    after = planned(contest, found._replace(contents=contents))
    if not undrawn(before, after):
        return None
    counting = {game.identity for _, game in after.counted()}
    lost = sum(game.identity not in counting for _, game in before.counted())
    return RedrawError(lost, before.done, changes)


def redrawn_now(contest: Contest) -> RedrawError | None:
    """The same of a contest as it stands in its folder, to be read only. Raises FolderError."""
    path = Path(contest.folder)
    if not is_drawn(contest) or not has_store(path):
        return None
    with opened_store(path, contest.store) as store:
        return redrawn(contest, store, known_contents(contest, store, {}))


def _changes(
    before: list[str], now: list[str], noted: Mapping[str, str], contents: Mapping[str, str]
) -> list[Change]:
    """The differences between the bots of two moments, given their names and their files."""
    changes = [
        *(Change("added", name) for name in now if name not in before),
        *(Change("removed", name) for name in before if name not in now),
        *(
            Change("content", name)
            for name in now
            if name in before and contents[name] != noted[name]
        ),
    ]
    return changes if changes or before == now else [Change("order")]
