"""Process numbers of its own, a PID namespace, for a bot that may start processes.

The process that was started stays outside and waits: it leads the session, and ends as the bot
does. The first process inside is ours, too, and not the bot, for the kernel spares the first the
signals that end any other, as abort() sends them; it collects the orphans. The second is the bot.
Ours hear and read nothing of it.
"""

import os
import resource
import signal
import struct

from .confine import die_with_parent, lower
from .system import NEW_PROCESSES, SET_PARENT_DEATH_SIGNAL, call, control

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

KEEPERS = 2
"""Processes of ours beside the bot's."""
_STATUS = struct.Struct("i")


def separate() -> bool:
    """Goes on as the second process of new numbers; False, as before, where they cannot be had.

    Raises OSError if there is no room for another process.
    """
    try:
        call("unshare", NEW_PROCESSES)
    except OSError:
        return False
    die_with_parent()
    # Means nothing inside, where a parent outside has the number 0.
    os.environ.pop("JOUTE_PARENT", None)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    told, tell = os.pipe()
    first = os.fork()
    if first:
        _hold_only(told)
        _end_as_told(first)
    control(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    bot = os.fork()
    if bot:
        _hold_only(tell)
        _collect(bot)
    os.close(told)
    os.close(tell)
    return True


def _hold_only(descriptor: int) -> None:
    """Makes a descriptor number 0, and lets go of all others and of the folder."""
    os.dup2(descriptor, 0)
    os.closerange(1, 1 + max(map(int, os.listdir("/proc/self/fd"))))
    os.chdir("/")


def _collect(bot: int) -> "NoReturn":
    """Collects all that ends inside, says how the bot did, and leaves when nobody is left."""
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            os._exit(0)
        if pid == bot:
            # What a script has started may go on without it.
            control(SET_PARENT_DEATH_SIGNAL, 0)
            os.write(0, _STATUS.pack(status))
            os.close(0)


def _end_as_told(first: int) -> "NoReturn":
    """Ends this process as the bot has ended, or else as the first process inside has."""
    data = os.read(0, _STATUS.size)
    status = _STATUS.unpack(data)[0] if data else os.waitpid(first, 0)[1]
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        lower(resource.RLIMIT_CORE, 0)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))
