"""Paths that a bot may read: the system's libraries, its interpreter or program, its own files."""

from __future__ import annotations

import ast
import functools
import glob
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from joute.host.building.order import hidden

SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf"),
    *("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version"),
    *("/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/osrelease"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage"),
)
"""Of every bot. None holds what a user or a contest wrote; what a machine has not is left out."""

_CONFIGURATION = (
    *("/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies"),  # Of Node.js
    *("/etc/java", "/etc/java-*", "/etc/.java"),
    *("/etc/mono", "/etc/dotnet"),
    *("/etc/php", "/etc/php.ini", "/etc/php.d", "/etc/php[0-9]*"),
    *("/etc/perl", "/etc/python[0-9]*", "/etc/R", "/etc/gemrc", "/etc/erlang", "/etc/julia"),
    *("/etc/guile", "/etc/lua"),
)
"""Patterns of what runtimes of other languages read when they start or load a library."""


@functools.cache
def of_system() -> tuple[str, ...]:
    """Paths of every bot: SYSTEM and the configuration of the runtimes that are installed."""
    found = (sorted(glob.glob(pattern)) for pattern in _CONFIGURATION)  # noqa: PTH207 - texts
    return (*SYSTEM, *(each for of_pattern in found for each in of_pattern))


_PACKAGE = Path(__file__).parents[2]
_PROGRAMS = ("bin", "sbin", "libexec", "shims", "scripts")
"""Folders of programs, by name, which belong to what lies beside them."""
_BESIDE = (*_PROGRAMS, "lib", "lib64", "conf", "include", "versions", "version", "pyvenv.cfg")
_HOMES = ("/home", "/Users", "/var/home")  # Where people's homes lie
_QUERY = (
    "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix, sys.exec_prefix, "
    "sys.base_exec_prefix, *sys.path]))"
)
_QUERY_SECONDS = 10
_FIRST_LINE_BYTES = 256


@functools.cache
def of_interpreter(python: str) -> tuple[str, ...]:
    """Paths that an interpreter needs: the folders that it says it has, and itself.

    Asked is a bare one, ours too: the path of this process may hold the folder of a contest. One
    that cannot be asked needs what lies around it; it then says itself what it misses.
    """
    try:
        told = subprocess.run(
            [python, "-B", "-I", "-c", _QUERY],
            capture_output=True,
            timeout=_QUERY_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
            cwd="/",
        )
        found = [str(each) for each in json.loads(told.stdout)]
    except (OSError, ValueError, subprocess.SubprocessError):
        found = []
    return _kept([*found, *_beside(python)])


def of_joute(python: str, allowed: bool) -> list[str]:
    """The folders of Joute itself that an interpreter would import, which bots are not given.

    Args:
        python: the interpreter.
        allowed: whether they are after all.
    """
    if allowed:
        return []
    found = (Path(each) / "joute" for each in of_interpreter(python))
    return sorted({str(each) for each in (*found, _PACKAGE) if each.is_dir()})


def others(hidden: Iterable[str], own: Iterable[str | Path]) -> list[str]:
    """Paths hidden from a bot wherever they lie, but for its own."""
    kept = set(map(os.path.realpath, own))
    return [each for each in hidden if os.path.realpath(each) not in kept and os.path.exists(each)]  # noqa: PTH110


def of_program(
    words: Sequence[str], folder: Path | None, search: str, hidden: Iterable[str]
) -> tuple[str, ...]:
    """Paths that a program needs: its own, those of its script's interpreter, its files' own.

    Args:
        words: its file and its arguments; what is a file of these is a bot's.
        folder: where it works, which file names are relative to.
        search: the PATH, whose programs a script may call.
        hidden: see `own`.
    """
    found: list[str] = []
    for entry in search.split(os.pathsep):
        if Path(entry).is_absolute():
            found += _around(Path(entry))
    found += _beside(words[0])
    for file in named_files(words, folder):
        if file.is_file():
            found += _interpreter_of(file, search)
        # The package is closed to bots wherever it lies.
        shown = _under(file, SYSTEM) and not _under(file, [str(_PACKAGE)])
        if not shown and not _belongs(file):
            found += _own_folder(file, folder, hidden) or own(file, hidden)
    return _kept(found)


def listed_by_program(words: Sequence[str], folder: Path | None) -> list[str]:
    """The folders whose names a program may list; see `listed`."""
    files = [file for file in named_files(words, folder) if not _under(file, SYSTEM)]
    return [each for file in files if not _belongs(file) for each in listed(file)]


def named_files(words: Sequence[str], folder: Path | None) -> Iterator[Path]:
    """The files and folders that the words of a command name."""
    for word in words:
        file = (folder or Path()) / word
        if os.path.isfile(file) or os.path.isdir(file):  # noqa: PTH112, PTH113 - False for no name
            yield file


def _own_folder(file: Path, folder: Path | None, hidden: Iterable[str]) -> list[str]:
    """The files in the folder of a program's file, if that is known to be nobody else's.

    It is one below that of the contest, and no other bot lies in it.
    """
    others = set(map(os.path.realpath, hidden)) - {os.path.realpath(file)}
    where = Path(os.path.realpath(file)).parent
    base = Path(os.path.realpath(folder or "."))
    if file.is_dir() or not others or where == base or not where.is_relative_to(base):
        return []
    if any(Path(each).is_relative_to(where) for each in others):
        return []
    return _without(where, _uncounted(where))


def own(path: Path, hidden: Iterable[str]) -> list[str]:
    """Paths of its own that a bot may read: its folder, its zip, or its file and all it imports.

    Args:
        path: the bot.
        hidden: files and folders that it may not read even there: the other bots.
    """
    closed = set(map(os.path.realpath, hidden)) - {os.path.realpath(path)}
    if path.is_dir():
        if _everybodys(Path(os.path.normpath(path))):
            return []
        return _without(path, closed | _uncounted(path))
    if path.suffix == ".zip" or _everybodys(path.parent):
        return [str(path)]
    beside = companions(path)
    return [
        str(path),
        *(kept for each in beside for kept in _without(each, closed | _uncounted(each))),
    ]


def _uncounted(folder: Path) -> set[str]:
    """Files in a folder that are no part of the bot by its content hash."""
    return {
        os.path.realpath(os.path.join(where, name))  # noqa: PTH118 - many
        for where, folders, files in os.walk(folder)
        for name in (*folders, *files)
        if hidden(name)
    }


def listed(path: Path) -> list[str]:
    """The folder whose names a bot may list, as an import does, though not all can be read."""
    folder = path if path.is_dir() else path.parent
    return [] if path.suffix == ".zip" or _everybodys(folder) else [str(folder)]


def written(folder: Path | None) -> str:
    """The folder where a bot works, if programs may seem to write there; "" if not."""
    if folder is None or _everybodys(folder) or _under(folder, SYSTEM):
        return ""
    return os.path.realpath(folder)


def _without(folder: Path, hidden: set[str]) -> list[str]:
    """The folder or file, or what is in it if some of that is hidden."""
    where = os.path.realpath(folder)
    if not any(each == where or each.startswith(where + os.sep) for each in hidden):
        return [str(folder)]
    if where in hidden or not folder.is_dir():
        return []
    kept: list[str] = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_symlink():
            continue  # whoever made it may have made it lead anywhere
        if entry.is_dir():
            kept += _without(Path(entry.path), hidden)
        elif os.path.realpath(entry.path) not in hidden:
            kept.append(entry.path)
    return kept


def _everybodys(folder: Path) -> bool:
    """Whether a folder holds more than one person's bot: a home, or what homes lie in."""
    home = Path.home()
    return folder in (home, *home.parents, Path("/tmp"))  # noqa: S108 - a name, nothing is made


def _beside(program: str) -> Iterator[str]:
    """Paths that belong to a program, step by step along its links."""
    at = program
    for _ in range(8):
        yield at
        yield from _around(Path(at).parent)
        try:
            at = str(Path(at).parent / Path(at).readlink())
        except OSError:
            return


def _around(folder: Path) -> list[str]:
    """A folder of programs and what belongs to it.

    In somebody's home that is so only of what is installed out of sight, as in `~/.pyenv`: what
    lies beside `~/bin` is that person's.
    """
    if folder.name not in _PROGRAMS:
        return []
    home = next((each for each in folder.parents if _is_home(each)), None)
    if home is not None and folder.relative_to(home).parts[0][0] != ".":
        return [str(folder)]
    return [str(folder.parent / name) for name in _BESIDE]


def _is_home(folder: Path) -> bool:
    return folder in (Path.home(), Path("/root")) or str(folder.parent) in _HOMES


def _interpreter_of(script: Path, search: str) -> Iterator[str]:
    """Paths needed by the program of a script's first line; `env` finds it on the PATH."""
    with script.open("rb") as file:
        first = file.read(_FIRST_LINE_BYTES)
    if first.startswith(b"#!"):
        words = first[2:].split(b"\n")[0].split()
        names = [os.fsdecode(word) for word in words[:2]]
        if names:
            yield from _beside(names[0])
        if len(names) > 1 and Path(names[0]).name == "env":
            yield from _beside(shutil.which(names[1], path=search) or "")


def _belongs(file: Path) -> bool:
    return file.parent.name in _PROGRAMS


def _under(file: Path, folders: Iterable[str]) -> bool:
    return any(file.is_relative_to(folder) for folder in folders)


def _kept(found: Iterable[str]) -> tuple[str, ...]:
    """Those that exist, once each; never a home or what lies above it."""
    kept: dict[str, None] = {}
    for each in map(os.path.abspath, filter(None, found)):
        if os.path.exists(each) and not _everybodys(Path(each)):  # noqa: PTH110 - faster
            kept[each] = None
    return tuple(kept)


_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+([\w., \t]+)", re.MULTILINE)
_NAME = re.compile(r"""["']([^"'\n]{0,200}/)?([\w-][\w.-]*\.\w+)["']""")
_CODE = (".py", ".so", ".pyd")
_CALLS = ("import_module", "__import__")
_MOST_BYTES = 1 << 20


def companions(path: Path) -> tuple[Path, ...]:
    """The modules beside a bot that it imports, itself or by another; never a hidden file."""
    try:
        changed = path.stat().st_mtime_ns, path.parent.stat().st_mtime_ns
    except OSError:
        return ()
    return _companions(path, changed)


def missed(path: Path) -> tuple[str, ...]:
    """The names of files beside a bot of one file that its text has in quotes, but it cannot read.

    For words to its author: what it names is data that it will look for in vain.
    """
    if path.suffix != ".py":
        return ()
    own = {path, *companions(path)}
    texts = [source_text(each) for each in own if each.suffix == ".py"]
    named = {name for text in texts for _, name in _NAME.findall(text)}
    beside = (path.parent / name for name in sorted(named))
    return tuple(each.name for each in beside if each not in own and each.is_file())


@functools.lru_cache(maxsize=256)
def _companions(path: Path, changed: tuple[int, int]) -> tuple[Path, ...]:
    found = {path}
    to_read = [path]
    while to_read:
        for name in _imported(source_text(to_read.pop()), path.parent.name):
            fresh = set(_modules(path.parent, name)) - found
            found |= fresh
            to_read += [each for each in fresh if each.suffix == ".py"]
    return tuple(sorted(found - {path}))


def _modules(folder: Path, name: str) -> Iterator[Path]:
    """The files of the module or of the package of a name in a folder."""
    for entry in os.scandir(folder):
        if entry.is_symlink():
            continue  # whoever made it may have made it lead anywhere
        if entry.is_dir() and entry.name == name:
            yield from _code(folder / name)
        elif entry.name.split(".")[0] == name and entry.name.endswith(_CODE):
            yield folder / entry.name


def _code(package: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(package):
        folders[:] = [each for each in folders if each.isidentifier() and each != "__pycache__"]
        inside = (Path(where) / each for each in files if each.endswith(_CODE))
        yield from (each for each in inside if each.name[0] != "." and not each.is_symlink())


def _imported(text: str, folder: str) -> set[str]:
    """The first names of the modules that a text imports.

    `folder` is where the bot lies, a package by its name: of `folder.other` it is `other` too. Of a
    text that this Python cannot read, those of the lines that look like it.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        lines = (line.split(",") for line in _IMPORT.findall(text))
        found = {word.split()[0] for words in lines for word in words if word.split()}
    else:
        found = {name for node in ast.walk(tree) for name in _names(node)}
    parts = [name.split(".") for name in found]
    inside = [each[1:] for each in parts if each[0] == folder]
    package = [["__init__"]] if inside else []
    return {each[0] for each in (*parts, *inside, *package) if each and each[0].isidentifier()}


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        # `from . import x` is for what lies in a package; beside a bot it names x itself.
        within = f"{node.module}." if node.module else ""
        yield from (within + alias.name for alias in node.names)
    elif isinstance(node, ast.Call) and node.args:
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        given = node.args[0]
        if name in _CALLS and isinstance(given, ast.Constant) and isinstance(given.value, str):
            yield given.value


def source_text(path: Path) -> str:
    """The text of a file, or its beginning; "" if it cannot be read, or is a pipe."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
