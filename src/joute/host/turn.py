"""The clocks of one turn: the bot's CPU, the wall, and what a busy host takes of that.

The CPU is the bot's alone. The wall stops a bot that sleeps, but is everybody's: a bot is excused
the time by which our own timer is late, and what the CPU that it has used costs a thread in waiting
on a machine where so many others want to run. Nothing that a bot does adds to that but using CPU,
which it pays for: neither sleeping, nor threads that wait, nor a lower priority.
All times are in seconds.
"""

from __future__ import annotations

import time

from joute.host.answer import late_words
from joute.host.busy import Crowd, usual_lateness
from joute.host.clock import CpuClock
from joute.host.limits import wall_seconds
from joute.i18n.words import Sentence, english

# How long the clocks are not looked at; a bot of many threads can overdraw by so much on each core.
_LOOK_SECONDS = 0.05
_LEAST_SECONDS = 0.001
# Of the time on the wall, however busy the host is; and where the game is not played again.
_PATIENCE, _LAST_PATIENCE = 4.0, 20.0


class Turn:
    """One turn, from the message to the answer or the verdict."""

    def __init__(
        self,
        clocks: tuple[CpuClock, Crowd],
        allowed: tuple[float, float, float],
        charged: float,
        began: float,
        last_try: bool = False,
    ) -> None:
        """Starts the turn.

        Args:
            clocks: of the bot, and of how crowded the machine is meanwhile.
            allowed: the time of the turn, what is in the bank, and the grace.
            charged: what the bot's clock showed when its last turn was over; what it used since
                then, while it should have stood still, is charged to this one.
            began: what the performance counter showed at the beginning.
            last_try: whether who has no answer after more patience is late.
        """
        self._clock, self._crowd = clocks
        self._last_try = last_try
        self._patience = _LAST_PATIENCE if last_try else _PATIENCE
        self._limit, self._bank, grace = allowed
        self._most = self._limit + self._bank + grace
        self._wall_most = wall_seconds(self._limit + self._bank)
        self._charged = charged
        self._began = began
        self._overslept = 0.0
        self._excused = 0.0
        self.cpu = 0.0
        """Charged so far."""
        self.wall = 0.0
        self.in_time = 0.0
        """Time on the wall at the last look that found the bot in time."""

    def rest(self) -> float:
        """How long to wait for the answer before the next look."""
        wall_left = self._wall_most + self._excused - self.wall
        return max(min(self._most - self.cpu, wall_left, _LOOK_SECONDS), _LEAST_SECONDS)

    def look(self, waited: float) -> None:
        """Reads the clocks, after having waited for `waited` at most."""
        if not self.late:
            self.in_time = self.wall
        wall = time.perf_counter() - self._began
        went_by, self.wall = wall - self.wall, wall
        cpu = self._clock.seconds(went_by) - self._charged
        used, self.cpu = cpu - self.cpu, cpu
        if went_by >= _LOOK_SECONDS / 2:
            late = max(went_by - waited - usual_lateness(), 0.0)
            self._overslept += max(min(went_by - used, late), 0.0)
            self._crowd.look()
            waiting = self._overslept + self._crowd.waiting() * self.cpu
            self._excused = max(min(self.wall - self.cpu, waiting), 0.0)

    @property
    def late(self) -> bool:
        """Whether the bot has had its time."""
        if self._last_try and self.wall > self._patience * self._wall_most:
            return True
        return self.cpu > self._most or self.wall - self._excused > self._wall_most

    @property
    def busy(self) -> bool:
        """Whether the host is too busy for the time on the wall to say anything of the bot."""
        return not self.late and self.wall > self._wall_most

    @property
    def hopeless(self) -> bool:
        """Whether a busy host has been waited for long enough."""
        return self.busy and self.wall > self._patience * self._wall_most

    @property
    def over(self) -> bool:
        """Whether waiting is over, without an answer."""
        return self.late or self.hopeless

    def since(self, wall: float) -> float:
        """How long ago it was, on the wall, that the turn had taken `wall`."""
        return time.perf_counter() - self._began - wall

    def words(self) -> str:
        """Why the turn was over; "" if it was not."""
        if self.late:
            return late_words(self.cpu, self.wall, self._limit, self._bank)
        if self.hopeless:
            times = {"wall": f"{self.wall:.2f}", "others": f"{self._excused:.2f}"}
            return english(Sentence("error.answer.crowded", **times))
        return ""
