"""A bot's own tree of files: what its policy names, read-only, and nothing else.

It is made of mounts in memory, under a root of its own; of the host's tree nothing is to be seen,
neither names nor sizes nor times of files. `/proc` holds what languages look for of this process
and of the machine; what tells of the whole machine's use from one moment to the next is a copy that
tells nothing.
"""

import ctypes
import os
import stat
import struct

from .system import (
    MOUNT_BIND,
    MOUNT_NO_DEVICES,
    MOUNT_NO_SETUID,
    MOUNT_READ_ONLY,
    MOUNT_RECURSIVE,
    call,
    mount,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, Iterator, List, Tuple

STAGE = "/dev/shm"  # noqa: S108 - on every Linux; where the tree is built
SCRATCH = "/dev/shm"  # noqa: S108 - the bot's own, never the host's
"""The place of the only files that a bot may write; in memory, gone with its last process."""

_FILES = 4096  # in a folder to write in, at most: each takes memory, even if it is empty
_SKELETON = "size=4m,nr_inodes=20000,mode=0755"
_PLAIN = MOUNT_NO_SETUID | MOUNT_NO_DEVICES

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}
_SET_ATTRIBUTES = 442  # mount_setattr, the same on every machine
_HERE, _ALL_BELOW = -100, 0x8000
_READ_ONLY, _NO_SETUID = 1, 2
_DETACH = 2

_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}
_OLD = ".host"  # Of the bot's own tree: where the host's came to lie, under something empty
_SELF = "/proc/self"
_PROC = STAGE + "/proc/"
_OF_OTHERS = ("mounts", "mountinfo", "mountstats", "cgroup", "net", "task")
"""Files in it that tell of the host; `task` too, for each thread has the same files again."""


def plan(readable: "Iterable[str]", closed: "Iterable[str]") -> "Iterator[Tuple[str, bool]]":
    """The paths to be shown (True) or covered (False), those above before those below.

    Left out is what lies below one of its own kind, and what is to be covered where nothing shows
    it. A path that is in both is shown.
    """
    kinds = dict.fromkeys(closed, False)
    kinds.update(dict.fromkeys(readable, True))
    for path in sorted(kinds):
        above = os.path.dirname(path)
        while above not in kinds and above not in ("/", ""):
            above = os.path.dirname(above)
        if kinds[path] is not kinds.get(above, False):
            yield path, kinds[path]


def build(policy: "Dict[str, Any]", devices: "Iterable[str]") -> "List[str]":
    """Enters a tree of the policy's files; the folders to write in.

    The first is the scratch folder. Only for a process with mounts of its own, which nothing of
    the host's shares. Raises OSError; the process is then still in the host's tree.

    Args:
        policy: see `joute.host.sandbox.policy`.
        devices: to be shown besides.
    """
    folder, room = os.getcwd(), policy["file_mb"]
    mount("tmpfs", STAGE, _PLAIN, _SKELETON)
    for each in ("/dev/shm", "/tmp", "/" + _OLD, folder):  # noqa: S108 - of the bot's own tree
        os.makedirs(STAGE + each, exist_ok=True)
    _make_place(STAGE + "/.empty", folder=False)
    for name, target in _LINKS.items():
        os.symlink(target, STAGE + name)
    written = _layered_folder(policy)
    # A tree that is shown whole is never bound where it can be written: it would be the host's own.
    whole = policy["whole"] or written in policy["readable"]
    layered = bool(written) and _layer(written, room, whole)
    own = [written] if layered and whole else []
    _show_processes(policy["children"])
    still = _still()
    for path, shown in plan([*policy["readable"], *devices, *own], policy["closed"]):
        if path in still:
            _stand_in(path, still[path])
        elif not shown:
            _cover(STAGE + path)
        elif path not in own and not _is_there(path):
            _show(path)
    _seal(STAGE)
    if layered:
        _unseal(STAGE + written)
    mount("tmpfs", STAGE + SCRATCH, _PLAIN, _room(room))
    os.chdir(STAGE)
    call("syscall", ctypes.c_long(_PIVOT_ROOT[os.uname().machine]), b".", _OLD.encode())
    # For good, and at once: to take the old tree away, the kernel waits for all cores.
    mount("tmpfs", "/" + _OLD, _PLAIN | MOUNT_READ_ONLY, "size=4k,nr_inodes=1,mode=0")
    os.chdir(folder)
    return [SCRATCH, written] if layered else [SCRATCH]


def _layered_folder(policy: "Dict[str, Any]") -> str:
    """The folder to write in; "" where what is above it is shown, which would hide a layer."""
    folder = policy["written"]
    above = os.path.dirname(folder)
    while above not in ("/", ""):
        if above in policy["readable"]:
            return ""
        above = os.path.dirname(above)
    return str(folder)


def furnish(megabytes: int) -> "List[str]":
    """Makes the tree that this process is in already as one that `build` makes: a scratch folder.

    For one that bubblewrap has made, and for where no other can be made. Raises OSError.
    """
    mount("tmpfs", SCRATCH, _PLAIN, _room(megabytes))
    for path, text in _still().items():
        copy = SCRATCH + "/" + os.path.basename(path)
        _write(copy, text)
        mount(copy, path, MOUNT_BIND)
        os.unlink(copy)
    _seal("/")
    _unseal(SCRATCH)
    return [SCRATCH]


def _is_there(path: str) -> bool:
    """Whether something of /proc is shown already."""
    return path.startswith("/proc/") and os.path.exists(STAGE + path)


def _show(path: str) -> None:
    """Shows a file or folder of the host's; one that is not there is none."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return
    place = STAGE + path
    if os.path.islink(path) and os.path.dirname(path) == "/":
        os.symlink(os.readlink(path), place)  # as /bin leads to usr/bin
        return
    _make_place(place, stat.S_ISDIR(mode))
    mount(path, place, MOUNT_BIND | MOUNT_RECURSIVE)


def _cover(place: str) -> None:
    """Puts an empty folder or file in the place of what is shown there."""
    if place.startswith(_PROC) or not os.path.isdir(place):
        if os.path.exists(place):
            empty = STAGE + ("/" + _OLD if os.path.isdir(place) else "/.empty")
            mount(empty, place, MOUNT_BIND)
    else:
        # Not one for all: what is to be shown below needs a place there.
        mount("tmpfs", place, _PLAIN, _SKELETON)


def _stand_in(path: str, text: str) -> None:
    """Puts a text in the place of a file of /proc."""
    copy = STAGE + "/." + os.path.basename(path)
    _write(copy, text)
    _make_place(STAGE + path, folder=False)
    mount(copy, STAGE + path, MOUNT_BIND)


def _make_place(place: str, folder: bool) -> None:
    """Makes what something can be mounted on, unless it is there."""
    if folder:
        os.makedirs(place, exist_ok=True)
    elif not os.path.exists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY))


def _show_processes(children: bool) -> None:
    """Shows this process's own folder in /proc, and those of the processes that it may start.

    What these are will be known to the kernel only: for them there is a /proc of its own numbers,
    without those of ours. Where no such can be had, the host's is there whole.
    """
    if not children:
        _show(f"/proc/{os.getpid()}")
        os.symlink(str(os.getpid()), STAGE + _SELF)
    else:
        os.mkdir(STAGE + "/proc")
        try:
            mount("proc", STAGE + "/proc", _PLAIN, "hidepid=4")
        except OSError:
            _show("/proc")
    own = STAGE + "/proc/" + os.readlink(STAGE + _SELF)  # its number there
    for name in _OF_OTHERS:
        _cover(own + "/" + name)


def _still() -> "Dict[str, str]":
    """Files of /proc that change with what others do, as a machine would have them that is idle."""
    with open("/proc/meminfo", encoding="ascii") as file:
        total = file.readline().split()[1]
    full = ("MemTotal", "MemFree", "MemAvailable")
    none = (
        *("Buffers", "Cached", "SwapCached", "Active", "Inactive", "SwapTotal", "SwapFree"),
        *("Shmem", "SReclaimable", "HugePages_Total", "HugePages_Free"),
    )
    cores = os.sysconf("SC_NPROCESSORS_ONLN")
    idle = " 0" * 10
    return {
        "/proc/meminfo": "".join(
            [f"{name}: {total:>15} kB\n" for name in full]
            + [f"{name}: {0:>15} kB\n" for name in none]
        ),
        "/proc/stat": "".join(
            ["cpu " + idle + "\n"]
            + [f"cpu{number}{idle}\n" for number in range(cores)]
            + ["btime 0\n"]
        ),
    }


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _layer(folder: str, megabytes: int, whole: bool) -> bool:
    """Makes a folder of the tree writable, in memory; whether that can be done.

    Args:
        folder: of the host's.
        megabytes: how much may be written.
        whole: whether all that is in it is shown, and can be changed; else it begins empty.
    """
    place = STAGE + folder
    try:
        os.makedirs(place, exist_ok=True)
        if not whole:
            mount("tmpfs", place, _PLAIN, _room(megabytes))
            return True
        if set(folder) & set(",:\\"):
            return False  # these mean something to the mount
        mount("tmpfs", STAGE + SCRATCH, _PLAIN, _room(megabytes))
    except OSError:
        return False
    upper, work = STAGE + SCRATCH + "/upper", STAGE + SCRATCH + "/work"
    extended = ",userxattr" if os.geteuid() else ""
    try:
        os.mkdir(upper)
        os.mkdir(work)
        os.chmod(upper, 0o777)  # noqa: S103 - whoever this process becomes writes there
        options = f"lowerdir={folder},upperdir={upper},workdir={work}{extended}"
        mount("overlay", place, _PLAIN, options)
    except OSError:
        return False  # the folder can only be read
    finally:
        # The layer holds a copy of each file that is opened to be changed, which no name reads.
        call("umount2", (STAGE + SCRATCH).encode(), _DETACH)
    return True


def _room(megabytes: int) -> str:
    return f"size={megabytes}m,nr_inodes={_FILES},mode=0777"


def _seal(place: str) -> None:
    """Makes every mount from `place` on read-only, which keeps access times as they are, too."""
    _set_attributes(place, _ALL_BELOW, _READ_ONLY | _NO_SETUID, 0)


def _unseal(place: str) -> None:
    _set_attributes(place, 0, 0, _READ_ONLY)


def _set_attributes(place: str, flags: int, added: int, removed: int) -> None:
    attributes = struct.pack("=QQQQ", added, removed, 0, 0)
    where, size = ctypes.c_char_p(place.encode()), ctypes.c_size_t(len(attributes))
    number = ctypes.c_long(_SET_ATTRIBUTES)
    call("syscall", number, ctypes.c_int(_HERE), where, ctypes.c_uint(flags), attributes, size)
