"""Bots by name: the string of a contest's file or of the command line, and what it stands for.

`builtin:greedy?seconds=0.1`, `human`, `folder/bot.py`, `folder`, `bot.zip`, an executable file,
`program:COMMAND ARGUMENTS`, `function:PATH` or `class:PATH` to force an interface,
`hosted:builtin:NAME` for a built-in bot in a process of its own, `llm:URL#MODEL` for a language
model, `remote` for whoever connects to a server. Games add prefixes of their own, for programs and
for interfaces: `tron2010:`, `hx2:`.
"""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self
from urllib.parse import parse_qsl, urlsplit

from joute.core.registry import find
from joute.errors import Error
from joute.host.adapters import PROGRAM, interfaces, program_prefixes
from joute.host.building.order import LARGEST, PRESENTATION, BuildOrder, read_order
from joute.host.child.loading import ENTRIES
from joute.host.toml import read_toml
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence, hinted

Kind = Literal["builtin", "python", "program", "sources", "human", "remote", "local", "llm"]

LANGUAGE_MODEL = "llm"
"""The prefix of a language model, before the address of its server."""
_SCRIPTS = (".py", ".js", ".mjs", ".ts", ".rb", ".lua", ".pl", ".php", ".sh", ".jar")
"""Ends of the names of files that are the first argument of their interpreter."""
LOCAL = "local"
"""The prefix of a bot that is an object of the process that plays, by its name there."""
_MOST_INSIDE = 3  # files of a folder that are named beside the reason why it is no bot


class BotError(Error, ValueError):
    """A text that names no bot, or a bot that cannot play or commits a fault.

    Its sentence says what was looked for and where, and which names are near.
    """

    @classmethod
    def of(cls, bot: str, reason: object) -> Self:
        """The error of the bot of that name; `reason` is a sentence."""
        return cls(Sentence("error.bot", bot=bot, reason=reason))


def _wrong(bot: str, key: str, **values: object) -> BotError:
    return BotError.of(bot, Sentence(f"error.bot.{key}", **values))


@dataclass(frozen=True)
class BotSpec:
    """The bot that a name stands for."""

    text: str  # The name as it was given
    kind: Kind
    path: Path | None = None  # Absolute: the file or folder of a Python bot; a program's file
    interface: str | None = None
    """The forced interface of a Python bot, one of `joute.host.adapters.interfaces`."""
    options: dict[str, str] = field(default_factory=dict)
    """Of a built-in bot or of a language model, what follows the `?` of its name."""
    python: str | None = None  # The interpreter of a Python bot; None for the one that runs Joute
    name: str = ""  # Of a built-in bot, between `builtin:` and `?`; of a language model, its own
    address: str = ""  # Of a language model, the URL before `/chat/completions`
    hosted: bool = False  # A built-in bot that runs in a process of its own
    command: tuple[str, ...] = ()  # Of a program, its file and its arguments
    dialect: str = ""  # Of a program that talks in a way of its own, the prefix of its name
    order: BuildOrder | None = None
    """Of sources, the build that makes the bot of them; see `joute.host.building.built`."""
    folder: Path | None = None
    """The folder in which a hosted bot works: its own, or the one its name is relative to."""


def prefixes() -> list[str]:
    """The words that may stand before the colon of a bot's name."""
    return ["builtin", "hosted", LOCAL, LANGUAGE_MODEL, *program_prefixes(), *interfaces()]


def parse_bot(text: str, base: Path | None = None, python: str | None = None) -> BotSpec:
    """The bot that `text` stands for; paths are relative to `base` (else to the current folder).

    Args:
        text: the bot's name.
        base: the folder of the file that names it.
        python: the interpreter of a Python bot: a path, or a program of the PATH.

    Raises BotError if it stands for nothing.
    """
    base = Path(base or ".").absolute()
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _wrong(text, "encoding") from None
    if python is not None and os.sep in python:
        # Not resolved: a virtual environment's interpreter is known by the link's own place.
        python = os.path.normpath(_place(text, python, base))
    prefix, colon, rest = text.partition(":")
    if text == "human":
        return BotSpec(text, "human")
    if text == "remote":
        return BotSpec(text, "remote")
    if colon and prefix in prefixes():
        if prefix == "builtin":
            return _builtin(text, rest, hosted=False)
        if prefix == LOCAL:
            return BotSpec(text, "local", name=rest)
        if prefix == LANGUAGE_MODEL:
            return _language_model(text, rest)
        if prefix == "hosted":
            inner, _, name = rest.partition(":")
            if inner != "builtin":
                raise _wrong(text, "hosted")
            return _builtin(text, name, hosted=True)
        if prefix in program_prefixes():
            return _program(text, rest, base, "" if prefix == PROGRAM else prefix)
        return _python(text, _existing(text, rest, base), prefix, python)
    path = _existing(text, text, base)
    if path.is_dir() or path.suffix in (".py", ".zip"):
        return _python(text, path, None, python)
    if os.access(path, os.X_OK):
        return BotSpec(text, "program", path, command=(str(path),), folder=path.parent)
    raise _wrong(text, "kind", path=path, entries=", ".join(ENTRIES))


def holds_bot(folder: Path) -> bool:
    """Whether a folder has a file by which it is a bot as a whole, or presents itself as one."""
    return any(_is_file(folder / name) for name in (*ENTRIES, PRESENTATION))


def _builtin(text: str, rest: str, hosted: bool) -> BotSpec:
    name, options = _with_options(text, rest)
    if not name:
        raise _wrong(text, "builtin")
    return BotSpec(text, "builtin", options=options, name=name, hosted=hosted)


def _language_model(text: str, rest: str) -> BotSpec:
    address, _, named = rest.partition("#")
    name, options = _with_options(text, named)
    try:
        url = urlsplit(address)
        reachable = url.scheme in ("http", "https") and bool(url.hostname) and not url.query
    except ValueError:
        reachable = False
    if not reachable or not name:
        raise _wrong(text, "llm")
    if "@" in url.netloc:  # it would stand in every record
        raise _wrong(text, "llm.password")
    return BotSpec(text, "llm", options=options, name=name, address=address.rstrip("/"))


def _with_options(text: str, rest: str) -> tuple[str, dict[str, str]]:
    """A name and the options that follow its `?`."""
    name, mark, query = rest.partition("?")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(mark))
    except ValueError:
        raise _wrong(text, "options", options=query, name=name) from None
    if len(dict(pairs)) < len(pairs):
        raise _wrong(text, "twice", options=query)
    return name, dict(pairs)


def _python(text: str, path: Path, interface: str | None, python: str | None) -> BotSpec:
    if interface is None and (order := _order(text, path)) is not None:
        return BotSpec(text, "sources", path, python=python, folder=path, order=order)
    if path.is_dir():
        if not any((path / entry).is_file() for entry in ENTRIES):
            raise _without_bot(text, path)
        return BotSpec(text, "python", path, interface, python=python, folder=path)
    if path.suffix not in (".py", ".zip") or not path.is_file():
        raise _wrong(text, "python", path=path)
    return BotSpec(text, "python", path, interface, python=python, folder=path.parent)


def _without_bot(text: str, folder: Path) -> BotError:
    """The reason a folder is no bot: want of files, or a file that cannot be read."""
    own = folder / PRESENTATION
    if own.is_file():
        try:
            written = own.read_text(encoding="utf-8-sig")
            read_toml(written)
            if len(written) > LARGEST:
                raise ValueError(Sentence("error.file.characters", most=LARGEST))
        except (OSError, UnicodeDecodeError) as error:
            return _wrong(text, "build", path=own, reason=foreign(error))
        except ValueError as error:
            return _wrong(text, "build", path=own, reason=error)
    reason = Sentence("error.bot.folder", path=folder, entries=", ".join(ENTRIES))
    near = [repr(f"{text.rstrip('/')}/{each}") for each in _inside(folder)]
    return BotError.of(text, hinted(reason, near))


def _inside(folder: Path) -> list[str]:
    """Names in a folder that may be meant: folders with a bot, else files that are bots."""
    places = [folder / name for name in _names(folder) if not name.startswith(".")]
    below = [each for each in places if holds_bot(each)]
    files = [each for each in places if _is_file(each)]
    bots = [each for each in files if each.suffix in (".py", ".zip") or os.access(each, os.X_OK)]
    return [each.name for each in below or bots][:_MOST_INSIDE]


def _is_file(path: Path) -> bool:
    """Whether there is a file; not where that is hidden from us."""
    try:
        return path.is_file()
    except OSError:
        return False


def _order(text: str, path: Path) -> BuildOrder | None:
    """The build of a folder or of a zip, if it has one. Raises BotError."""
    if not path.is_dir() and path.suffix != ".zip":
        return None
    try:
        return read_order(path)
    except ValueError as error:
        raise _wrong(text, "build", path=path / PRESENTATION, reason=error) from None


def _program(text: str, line: str, base: Path, dialect: str) -> BotSpec:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise _wrong(text, "command", reason=foreign(error)) from None
    if not words:
        raise _wrong(text, "no_command", prefix=dialect or PROGRAM)
    near = _place(text, words[0], base)
    found = str(near) if near.is_file() else _on_path(words[0])
    if found is None:
        raise _wrong(text, "program", program=words[0], folder=base)
    if not os.access(found, os.X_OK):
        raise _wrong(text, "locked", path=found)
    script = next((word for word in words[1:] if not word.startswith("-")), "")
    if script.endswith(_SCRIPTS) and len(script.split()) == 1:
        file = _place(text, script, base)
        if not file.exists():
            raise BotError.of(text, _missing(file))
    path = Path(found).absolute()
    command = (str(path), *words[1:])
    return BotSpec(text, "program", path, command=command, folder=base, dialect=dialect)


def _on_path(word: str) -> str | None:
    """A program of the PATH, or of the folder of the interpreter that runs Joute: `joute`."""
    here = os.pathsep.join((os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)))
    return shutil.which(word, path=here)


def _existing(text: str, name: str, base: Path) -> Path:
    """The file or folder `name`; BotError with what is near if there is none."""
    if not name:
        raise _wrong(text, "nothing")
    path = _place(text, name, base)
    if path.exists():
        return Path(os.path.normpath(path))
    others: list[str] = []
    prefix, colon, rest = text.partition(":")
    if colon:
        others += [
            f"{known}:{rest}" for known in difflib.get_close_matches(prefix, prefixes(), n=1)
        ]
    elif (bare := name.partition("?")[0]).isidentifier() and find(bare) is None:  # a game is no bot
        others.append(f"builtin:{name}")
    elif len(words := name.split()) > 1 and _on_path(words[0]):
        others.append(f"{PROGRAM}:{name}")
    raise _wrong(text, "forms", missing=_missing(path, others))


def _missing(path: Path, others: Sequence[str] = ()) -> Sentence:
    """The sentence that nothing is at a path, with what is near there, or else may be meant."""
    # Without their ends, by which all files of Python are alike.
    names = {name: Path(name).stem for name in _names(path.parent)}
    stems = difflib.get_close_matches(path.stem, set(names.values()), n=3)
    near = [*(name for stem in stems for name in names if names[name] == stem), *others]
    return hinted(Sentence("error.bot.missing", path=path), list(map(repr, near)))


def _place(text: str, name: str, base: Path) -> Path:
    """The path of `name`, be there something or not. Raises BotError for an impossible name."""
    try:
        path = base / Path(name).expanduser()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: of `~nobody`
        reason = foreign(error)
        raise _wrong(text, "place", name=name, reason=reason) from None
    return path


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except (OSError, ValueError):  # none, no folder, not ours to read, or no path at all
        return []
