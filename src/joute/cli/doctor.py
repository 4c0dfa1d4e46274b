"""`joute doctor`: what this machine offers, and what is enforced on it."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import NamedTuple

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, Json
from joute.i18n.figures import figure
from joute.i18n.recognised import worded
from joute.i18n.words import say

PACKAGES = ("numba", "numpy", "msgspec", "sqlalchemy", "typer", "rich")


class Found(NamedTuple):
    """One line of the report; `ok` is None where nothing can be wrong."""

    key: str
    value: str
    ok: bool | None = None
    remedy: str = ""
    """A remedy, where there is one."""


def doctor(json: Json = False) -> int:
    """The command; its help is in the catalogs."""
    found = [*_versions(), *_machine(), _cache(), _store(), *_limits(), *_isolation()]
    found += [*_runtimes(), _compilers()]
    if json:
        print_json([each._asdict() for each in found])
    else:
        width = max(len(_name(each)) for each in found)
        for each in found:
            verdict = "" if each.ok is None else say("check.ok" if each.ok else "check.failed")
            print(f"{_name(each):{width}}  {each.value}  {verdict}".rstrip())
            if each.remedy:
                print(f"{'':{width}}  {each.remedy}")
    return FAILED if any(each.ok is False for each in found) else DONE


def _name(found: Found) -> str:
    return found.key if found.key in PACKAGES else say(f"doctor.{found.key}")


def _versions() -> list[Found]:
    from importlib import metadata

    import joute

    python = f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})"
    versions = [Found("joute", joute.__version__), Found("python", python)]
    return versions + [Found(name, metadata.version(name)) for name in PACKAGES]


def _machine() -> list[Found]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    pages = os.sysconf("SC_PHYS_PAGES")
    memory = pages * os.sysconf("SC_PAGE_SIZE") / 2**30
    return [
        Found("system", f"{platform.system()} {platform.release()} {platform.machine()}"),
        Found("cores", str(cores)),
        Found("memory", say("doctor.gib", value=figure(memory, 1))),
    ]


def _cache() -> Found:
    """The folder of compiled kernels: without it everything is compiled anew in each process."""
    from joute.files import cache_folder

    folder = cache_folder()
    return Found("cache", str(folder), _writable(folder))


def _writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or in the nearest one above it that is there."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def _store() -> Found:
    """Whether a contest's database can be made and read where temporary files go."""
    import tempfile

    from joute.store.store import Store, StoreError

    with tempfile.TemporaryDirectory() as folder:
        try:
            with Store.in_file(Path(folder) / "try.sqlite") as store:
                return Found("store", store.url.split(":")[0], not store.games())
        except (OSError, StoreError) as error:
            return Found("store", str(worded(error)), False)


def _limits() -> list[Found]:
    """The measures and limits of every bot on this system."""
    from joute.host.sandbox import Level, granted

    linux = sys.platform == "linux"
    jailed = granted().level >= Level.KERNEL
    held = "kernel" if jailed else "linux" if linux else "other"
    lines = [
        Found("cpu_time", say("doctor.cpu_linux" if linux else "doctor.cpu_other")),
        Found("bot_memory", say("doctor.memory_linux" if linux else "doctor.memory_other")),
        Found("processes", say(f"doctor.processes_{held}")),
    ]
    if linux:
        lines[2:2] = [_kernel_memory()]
        lines.append(_calls())
    return lines


def _kernel_memory() -> Found:
    """Whether what the kernel keeps for a bot is counted."""
    from joute.host.sandbox import Level, granted
    from joute.host.sandbox.groups import ground

    counted = granted().level is Level.FULL and ground() is not None
    return Found("kernel_memory", say(f"doctor.kernel_memory_{'' if counted else 'un'}counted"))


def _calls() -> Found:
    """The number of system calls that are allowed, and when they were gone through."""
    from joute.host.sandbox.call_numbers import KERNEL, NUMBERS, REVIEWED
    from joute.host.sandbox.system_calls import counted, machine

    name = machine()
    if not name:
        return Found("calls", say("doctor.calls_unknown", machine=platform.machine()))
    facts = {"allowed": counted(name), "known": len(NUMBERS[name]), "machine": name}
    return Found("calls", say("doctor.calls_allowed", **facts, reviewed=REVIEWED, kernel=KERNEL))


def _isolation() -> list[Found]:
    """The levels of isolation: what each that holds means, why another does not, what would help.

    A level that is missing is no failure of this machine: it is what bots are run without.
    """
    from joute.host.sandbox import Level, granted

    found = granted()
    missing = {each.level: each for each in found.missing}
    lines = [Found("isolation", str(found.level))]
    for level in (Level.LIMITS, Level.KERNEL, Level.FULL):
        key = f"isolation_{level}"
        if level not in missing:
            lines.append(Found(key, say(f"doctor.holds_{level}"), True))
            continue
        reason, detail = missing[level].reason, missing[level].detail
        value = say(f"doctor.lacks_{reason}", detail=detail)
        lines.append(Found(key, value, None, say(f"doctor.remedy_{reason}")))
    if found.level >= Level.KERNEL:
        lines.append(_sight(found.open))
    if found.level is Level.FULL:
        lines.append(_groups())
    trusted = found.level < Level.KERNEL
    return [*lines, Found("bots", say("doctor.bots_own" if trusted else "doctor.bots_any"))]


def _runtimes() -> list[Found]:
    """The runtimes of other languages that start as bots here, and those that do not, with why."""
    from joute.host.runtimes import started

    tried = list(started())
    able = ", ".join(each.name for each in tried if not each.trouble)
    return [
        Found("runtimes", able or say("doctor.runtimes_none")),
        *(
            Found(
                "runtime",
                say("doctor.runtime_stuck", name=each.name, detail=each.trouble),
                None,
                say("doctor.remedy_runtime"),
            )
            for each in tried
            if each.trouble
        ),
    ]


def _compilers() -> Found:
    """The compilers and tools with which bots can be built here."""
    from joute.host.building.toolchains import languages

    return Found("compilers", ", ".join(languages()) or say("doctor.compilers_none"))


def _sight(attempts: tuple[str, ...]) -> Found:
    """Whether bots in the jail have a tree of files of their own, or what they see without."""
    if not attempts:
        return Found("sight", say("doctor.sight_own"), True)
    detail = ", ".join(say(f"doctor.open.{each}") for each in attempts)
    return Found("sight", say("doctor.sight_open", detail=detail), None, say("doctor.remedy_sight"))


def _groups() -> Found:
    """Whether, at level `full`, limits hold for all processes of a bot together."""
    from joute.host.sandbox.groups import ground

    if ground() is not None:
        return Found("groups", say("doctor.groups_held"), True)
    return Found("groups", say("doctor.groups_none"), None, say("doctor.remedy_groups"))
