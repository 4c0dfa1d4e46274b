"""What is wrong with the files of bots that take part in a contest, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.host.names import BotSpec


def data_beside(bot: BotSpec) -> list[str]:
    """A line on the files beside a bot of one file that it names, and cannot read; or none."""
    from joute.host.sandbox import paths

    names = paths.missed(bot.path) if bot.kind == "python" and bot.path else ()
    if not names:
        return []
    return [say("check.data_beside", bot=bot.path.name if bot.path else "", files=", ".join(names))]
