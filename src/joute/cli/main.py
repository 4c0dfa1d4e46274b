"""`joute`: runs a command, and turns every user's mistake into a message.

Commands return an exit code (None is 0). Their help texts are keys of the catalogs, replaced by
sentences once the language is known.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from joute import __version__
from joute.cli.commands import build
from joute.cli.output import guarded
from joute.cli.usage import DONE, FAILED, INTERRUPTED, USAGE, CommandError, explain
from joute.i18n import words
from joute.machine import READ_ONLY, ShortageError, lift_descriptors, shortage

_LOOP = "Symlink loop from "

LEAST_MEMORY = 900 << 20
"""Bytes of address space that a command needs, most of them for libraries that are mapped."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line (default: the program's own) and returns its exit code."""
    asked, rest = words.split_language(sys.argv[1:] if arguments is None else arguments)
    words.speak(words.spoken_in(os.environ))
    if asked is not None and asked not in words.LANGUAGES:
        return _complain(
            words.say("error.language", asked=asked, known=", ".join(words.LANGUAGES)), USAGE
        )
    if asked is not None:
        words.speak(asked)
    lift_descriptors()
    try:
        with guarded():
            if not rest:
                _run(["--help"])
                return USAGE
            if rest == ["--version"]:
                print(f"joute {__version__}")
                return DONE
            return _run(rest)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`).
        _say_no_more()
        return DONE
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # as rich tells it
            return DONE
        raise


def _run(arguments: list[str]) -> int:
    """Runs a command line; the one place where errors become messages."""
    try:
        command = build()
        with command.make_context("joute", arguments) as context:
            _check_memory()
            code = command.invoke(context)
        sys.stdout.flush()
        return int(code or DONE)
    except typer.Exit as left:
        return left.exit_code
    except typer.TyperException as error:
        return _complain(explain(error), USAGE)
    except CommandError as error:
        return _complain(str(error), error.code)
    except KeyboardInterrupt:
        return _complain(words.say("error.interrupted"), INTERRUPTED)
    except BrokenPipeError:
        raise
    except (OSError, MemoryError) as error:
        return _of_machine(error)
    except Exception as error:
        if shortage(error) is not None:
            return _of_machine(error)
        if isinstance(error, RuntimeError) and str(error).startswith(_LOOP):
            # As pathlib tells it, up to Python 3.12.
            return _complain(words.say("error.loop", path=str(error)[len(_LOOP) :]), USAGE)
        # An error raised on purpose is known by the module that defines it, so that no module is
        # imported to compare classes. Anything else is a fault of the program.
        if not type(error).__module__.startswith("joute."):
            raise
        if type(error).__name__ == "Interrupted":
            return _complain(str(error), INTERRUPTED)
        return _complain(str(error), FAILED if isinstance(error, RuntimeError) else USAGE)


def _of_machine(error: Exception) -> int:
    """Says what is wrong with a file, or what the machine has too little of."""
    from joute.i18n.recognised import foreign

    kind = shortage(error)
    where = str(getattr(error, "filename", None) or getattr(error, "where", ""))
    if not where and isinstance(error, OSError) and _output_fails():
        where = words.say("machine.output")
    reason = str(foreign(error))
    if not isinstance(error, ShortageError) and kind not in (None, READ_ONLY):
        where = _of_file(where, reason)
    if kind is None or (kind == READ_ONLY and not isinstance(error, ShortageError)):
        return _complain(_of_file(where, reason), USAGE)
    return _complain(_of_file(where, words.say(f"machine.{kind}")), INTERRUPTED)


def _of_file(where: str, reason: str) -> str:
    return words.say("error.file.named", file=where, reason=reason) if where else reason


def _output_fails() -> bool:
    """Whether what we print cannot be written; nothing is printed any more then."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _say_no_more()
        return True
    return False


def _say_no_more() -> None:
    """Lets nothing be flushed at exit to whom it cannot be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _check_memory() -> None:
    """Refuses to run in too little address space: libraries would end the program without a word.

    Raises CommandError.
    """
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if allowed != resource.RLIM_INFINITY and allowed < LEAST_MEMORY:
        raise CommandError(
            words.say("machine.address_space", found=allowed >> 20, least=LEAST_MEMORY >> 20)
        )


def _complain(message: str, code: int) -> int:
    try:
        print(f"joute: {message}", file=sys.stderr, flush=True)
    except (OSError, ValueError):  # nobody can be told
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    return code
