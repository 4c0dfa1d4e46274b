"""Serves one bot for one game: loads it, answers the referee's messages until the end.

Options, before `--`: `--memory-mb N`, `--folder PATH` (the bot's own folder), `--work PATH` (where
it works, if elsewhere), `--interface NAME` (forced), `--adapters JSON` (the files of other
contests' interfaces, by name), `--program` (what follows `--` is a command to become, not a Python
bot), `--jail JSON` (instead of `--memory-mb`: the policy that `jail` applies), `--zygote N` and
`--package NAME` (no bot: forks others on request, see `zygote`), `--terminal R,W` (the descriptors
of the channel, where the standard streams are the bot's own) and, with it, `--purpose NAME` (see
`terminal.Instrument`).

Once the limits hold, and before anything of the bot is read, an empty line is said: whatever goes
wrong earlier is the machine's fault or ours, and nothing later is.
"""

import json
import os
import sys

# All of ours is read before the bot's folder is in the path.
from . import channel, errors, interfaces, loading, watch
from .confine import confine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

# Given back to the bot's process when its memory is full, so that it can still say so.
_RESERVE_BYTES = 4 << 20


def main(arguments: "List[str]") -> None:
    """Runs the bot and ends this process."""
    options, rest = _options(arguments)
    known = interfaces.load(json.loads(options.get("adapters", "{}")))
    if "zygote" in options:
        cold = set(sys.modules)
        from . import zygote

        zygote.run(int(options["zygote"]), main, cold, options.get("package", ""))
    if "program" in options:
        _become(options, rest)
    instrument = None  # type: Optional[Any]
    if "terminal" in options:
        from . import terminal

        line = terminal.TerminalChannel(options["terminal"])  # type: channel.Channel
        instrument = terminal.Instrument(options["purpose"])
    else:
        line = channel.Channel()
        sys.breakpointhook = errors.refuse_debugger
    _hold(options)
    line.announce()
    # From here on the interpreter must not write beside the bot's files.
    sys.dont_write_bytecode = True
    # Nor play what somebody has compiled in place of the source that was looked at.
    sys.pycache_prefix = os.devnull
    sys.argv = [rest[0]]
    watch.watch()
    status = 1
    try:
        _Game(line, rest[0], known, options.get("interface", ""), instrument).run()
        status = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # Threads and exit handlers that the bot left do not hold the game up.
        os._exit(status)


def _options(arguments: "List[str]") -> "Tuple[Dict[str, str], List[str]]":
    """`--name value` pairs up to `--`, and what comes after."""
    options = {}
    at = 0
    while arguments[at] != "--":
        name = arguments[at][2:]
        if name == "program":
            options[name] = ""
            at += 1
        else:
            options[name] = arguments[at + 1]
            at += 2
    return options, arguments[at + 1 :]


def _hold(options: "Dict[str, str]") -> None:
    """Sets the limits, or the whole jail, from the bot's folder, and goes where the bot works."""
    os.chdir(options.get("folder", "."))
    if "jail" in options:
        from . import jail  # where it is not wanted, its libraries cost a start some milliseconds

        jail.shut(json.loads(options["jail"]))
    else:
        confine(int(options.get("memory-mb", "0")))
    # Of that folder the jail shows no more than the bot's own.
    os.chdir(options.get("work", "."))


def _become(options: "Dict[str, str]", command: "List[str]") -> None:
    """Turns this process into a program, under the limits."""
    _hold(options)
    os.write(1, channel.ANNOUNCEMENT)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is wanted
    except OSError as error:
        sys.stderr.write(f"cannot run {command[0]}: {error.strerror}\n")
        sys.stderr.flush()
        os._exit(127)


class _Game:
    """The conversation with the referee over one game."""

    def __init__(
        self,
        line: channel.Channel,
        path: str,
        known: "Dict[str, Any]",
        forced: str,
        instrument: "Optional[Any]",
    ) -> None:
        """`instrument`, a `terminal.Instrument`, is for a bot that is not in a game."""
        self._line = line
        self._path = path
        self._interfaces = known
        self._forced = forced
        self._instrument = instrument
        self._own_process = os.getpid()
        self._adapter = None  # type: Any
        self._module = None  # type: Any
        self._trouble = None  # type: Optional[Dict[str, Any]]
        self._reserve = bytearray(_RESERVE_BYTES)

    def run(self) -> None:
        """Answers messages until the end of the game or of the channel."""
        # Importing a bot takes as long as it takes; the referee's message waits meanwhile.
        self._trouble = self._attempt(self._load)
        while True:
            message = self._line.receive()
            if message is None:
                return
            kind = message["type"]
            if kind == "start":
                reply = self._trouble or self._attempt(self._start, message)
                reply = reply or {"type": "ready"}
                if reply["type"] == "error":
                    reply["fault"] = "start-up"
            elif kind == "play":
                reply = self._attempt(self._play, message) or {}
            elif kind == "end":
                self._attempt(self._end, message)
                return
            elif kind == "report" and self._instrument is not None:
                reply = self._instrument.report()
            else:
                continue  # a later version of the protocol may say more than we know
            self._line.send(reply)

    def _load(self) -> None:
        self._module = loading.load(self._path)
        self._interface = interfaces.interface_of(self._module, self._interfaces, self._forced)

    def _start(self, message: "Dict[str, Any]") -> None:
        self._adapter = self._interface.Adapter(self._module, message)

    def _play(self, message: "Dict[str, Any]") -> "Dict[str, Any]":
        step = self._adapter.play
        foreign = self._interface not in interfaces.OWN.values()
        if foreign:
            interfaces.left_beside(self._module)  # by a turn that failed
        reply = step(message) if self._instrument is None else self._instrument.call(step, message)
        if foreign:
            reply.update(interfaces.left_beside(self._module))
        reply["type"] = "action"
        return reply  # type: ignore[no-any-return]

    def _end(self, message: "Dict[str, Any]") -> None:
        self._adapter.end(message)

    def _attempt(self, step: "Any", *arguments: "Any") -> "Optional[Dict[str, Any]]":
        """The return value of `step`, or an `error` message if it raises anything at all."""
        try:
            try:
                return step(*arguments)  # type: ignore[no-any-return]
            except Exception as error:
                if self._instrument is not None:
                    self._instrument.hear(error)
                raise
            finally:
                if os.getpid() != self._own_process:
                    os._exit(0)  # a copy of us that the bot forked and let come back
        except errors.CannotLoad as error:
            return {"type": "error", "fault": "start-up", "error": str(error)}
        except errors.IllegalAnswer as error:
            return {"type": "error", "fault": "illegal", "error": str(error)}
        except MemoryError as error:
            self._reserve = bytearray()
            return {"type": "error", "fault": "memory", "error": errors.describe(error)}
        except PermissionError as error:
            # The system's have a number; one of the bot's own is an error like any other.
            fault = "crash" if error.errno is None else "sandbox"
            return {"type": "error", "fault": fault, "error": errors.describe(error)}
        except BaseException as error:
            # SystemExit and KeyboardInterrupt too: one turn failed, the game may go on.
            missed = errors.of_terminal(error) if self._instrument is None else ""
            told = missed or errors.describe(error)
            return {"type": "error", "fault": "crash", "error": told}
