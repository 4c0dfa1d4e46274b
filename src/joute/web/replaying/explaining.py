"""Why the game's best player would play what, at a position of a recorded game.

What a browser is sent:

options   the first is what would be played: `line` in words, `value` from -1, lost, to 1, won, for
          the player to move, `visits` or `depth` where the bot has them
beliefs   `name` of another player, the `cards` that he may hold
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from joute.bots.ladder import with_time
from joute.host.names import parse_bot
from joute.i18n.words import spoken
from joute.play.advice import SECONDS, SLACK, Explanation, adviser, explain, line_in_words
from joute.play.telling import held
from joute.play.timeline import Step
from joute.web.replaying.recorded import Recorded
from joute.web.tables.thinkers import Thinkers

LINES = 8  # options that are sent
SHOWN = 6  # actions of a line
KEPT = 256  # explanations that are remembered


class Explainers:
    """Explains positions, and remembers what was said. One bot thinks at a time."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.thinking = threading.Lock()  # held while a bot thinks
        self._thinkers = thinkers
        self._kept: OrderedDict[tuple[str, int], Explanation] = OrderedDict()

    def of(self, recorded: Recorded, step: Step) -> dict[str, Any] | None:
        """What is sent of a position in which a player is to move, as he could know it.

        Takes as long as the bot does; None where it is still being compiled, or another one thinks.
        """
        key = (recorded.record.chain, step.number)
        bot = adviser(recorded.game, step.mover)
        self._thinkers.want(recorded.game, [bot])
        if self._thinkers.pending(recorded.game, bot) or not self.thinking.acquire(blocking=False):
            return None
        try:
            if key not in self._kept:
                self._kept[key] = self._explained(recorded.game, step, bot)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return _sent(recorded, step, bot, self._kept[key])
        finally:
            self.thinking.release()

    def _explained(self, game: Any, step: Step, bot: str) -> Explanation:
        asked = parse_bot(f"builtin:{with_time(bot.removeprefix('builtin:'), SECONDS)}")
        with self._thinkers.turn(game, bot):
            return explain(game, step.state, asked, SLACK * SECONDS)


def _sent(recorded: Recorded, step: Step, bot: str, found: Explanation) -> dict[str, Any]:
    options = []
    for option in found.options[:LINES]:
        words = line_in_words(recorded.game, step.state, option.line)[:SHOWN]
        figures = {"value": option.value, "visits": option.visits, "depth": option.depth}
        options.append({"line": [spoken(each) for each in words], **figures})
    beliefs = held(recorded.game, found.beliefs)
    return {
        "bot": bot.removeprefix("builtin:"),
        "name": recorded.names[step.mover],
        "options": options,
        "beliefs": [
            {"name": recorded.names[player], "cards": cards} for player, cards in beliefs.items()
        ],
    }
