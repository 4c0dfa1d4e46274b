"""A program that attempts what its isolation forbids, and prints which attempts succeeded.

Run as a file by a bare interpreter, with a JSON object of targets as its argument: `secret` (a
file), `folder` (where it must not write), `tcp` and `udp` (ports of 127.0.0.1), `unix` (the path of
a socket), `abstract` (the name of one), `pid` (of the referee), `memory_mb`, `file_mb`, `processes`
(its limits), `numbers` (of system calls, by name: those that the C library has no function for, or
that it might make by another), `package` (Joute's own folder). Prints the names of what succeeded,
as a JSON list. Harms nothing where it succeeds.
"""

import ctypes
import errno
import json
import mmap
import os
import re
import resource
import socket
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

LIBRARY = ctypes.CDLL(None, use_errno=True)
_NEW_USER = 0x10000000
_MIB = 1 << 20
_HERE = -100  # paths are not relative to a folder that is open


TARGETS: dict[str, Any] = {}  # the second argument of the program

LIMITS = ("take_memory", "grow_stack", "map_much", "write_long_file")
"""The attempts that `limits` forbids."""
KERNEL = (
    *("read_file", "list_folder", "write_file", "see_referee", "fill_disk", "change_mode"),
    *("change_owner", "change_times", "change_attributes", "connect_tcp", "send_datagram"),
    *("connect_unix", "connect_abstract", "signal_referee", "ask_for_referee", "limit_referee"),
    *("read_memory", "take_namespace", "leave_session", "take_memory", "share_memory"),
    *("share_segment", "hide_memory", "grow_stack", "map_much", "widen_buffers"),
    *("hide_descriptor", "hide_rules", "start_threads", "start_process", "read_joute"),
    *("set_timer", "queue_signals", "take_requests", "change_share", "probe_cache", "open_doors"),
)
"""The attempts that `kernel` forbids, and `full`."""
TREE = ("see_names", "see_processes", "see_network", "see_memory", "leave_times")
"""The attempts that these stop too where mounts can be had; elsewhere the program reports them."""
PROGRAMS = ("see_processes",)
"""Those of TREE that need process numbers of their own, for bots that may start processes."""


_SIMPLE: dict[str, Callable[[], object]] = {  # attempts of one call; the others are functions
    # Opens a file that it may not read.
    "read_file": lambda: _open(TARGETS["secret"]),
    # Lists a folder that it may not.
    "list_folder": lambda: os.scandir(TARGETS["folder"]).close(),
    # Makes a file outside its scratch folder.
    "write_file": lambda: os.close(
        os.open(TARGETS["folder"] + "/written", os.O_WRONLY | os.O_CREAT)
    ),
    # Connects to a port.
    "connect_tcp": lambda: socket.create_connection(("127.0.0.1", TARGETS["tcp"]), 1.0).close(),
    # Connects to a socket with a path, and to one without.
    "connect_unix": lambda: _connect(TARGETS["unix"]),
    "connect_abstract": lambda: _connect("\0" + TARGETS["abstract"]),
    # Sends a signal that does nothing.
    "signal_referee": lambda: os.kill(TARGETS["pid"], 0),
    # Opens the environment of another process.
    "see_referee": lambda: _open(f"/proc/{TARGETS['pid']}/environ"),
    # Asks for the limits of another process, as if to change them.
    "limit_referee": lambda: resource.prlimit(TARGETS["pid"], resource.RLIMIT_CORE),
    # Takes a user namespace, where it would be root.
    "take_namespace": lambda: _called("unshare", _NEW_USER),
    # Takes more memory than it may.
    "take_memory": lambda: bytearray((TARGETS["memory_mb"] + 64) * _MIB),
    # Takes memory that is shared, which no limit of data counts.
    "share_memory": lambda: mmap.mmap(-1, _MIB).close(),
    # Makes a file in memory.
    "hide_memory": lambda: os.close(os.memfd_create("hidden")),
    # Allows itself a stack that no limit of memory counts.
    "grow_stack": lambda: _raise_limit("STACK", TARGETS["memory_mb"] * _MIB),
    # Allows itself all places for signals that wait, of which a user's processes have so many.
    "queue_signals": lambda: _raise_limit("SIGPENDING", 1 << 10),
    # Takes places for asynchronous input, of which the machine has so many.
    "take_requests": lambda: _called_by_number("io_setup", 1, ctypes.create_string_buffer(8)),
    # Opens Joute itself, as one that imports it does.
    "read_joute": lambda: _open(TARGETS["package"] + "/__init__.py"),
}


def change_mode() -> None:
    """Changes who may read a file, by any call that does."""
    path = TARGETS["secret"].encode()
    with suppress(PermissionError):
        Path(TARGETS["secret"]).chmod(0o600)
        return
    _any_of(
        chmod=(path, 0o600),
        fchmod=(_descriptor(), 0o600),
        fchmodat=(_HERE, path, 0o600),
        fchmodat2=(_HERE, path, 0o600, 0),
    )


def change_owner() -> None:
    """Changes whose a file is, by any call that does: to whose it is already."""
    path, nobody_else = TARGETS["secret"].encode(), (-1, -1)
    _any_of(
        chown=(path, *nobody_else),
        lchown=(path, *nobody_else),
        fchown=(_descriptor(), *nobody_else),
        fchownat=(_HERE, path, *nobody_else, 0),
    )


def change_times() -> None:
    """Changes when a file was written, by any call that does: a message to another bot."""
    path = TARGETS["secret"].encode()
    _any_of(
        utime=(path, None),
        utimes=(path, None),
        futimesat=(_HERE, path, None),
        utimensat=(_HERE, path, None, 0),
    )


def change_attributes() -> None:
    """Writes a word beside a file, or its flags, by any call that does."""
    path, word = TARGETS["secret"].encode(), (b"user.word", b"1", 1, 0)
    described = ctypes.create_string_buffer(struct.pack("=QII", *_address_of(b"1"), 1, 0))
    flags = ctypes.create_string_buffer(64)
    _any_of(
        setxattr=(path, *word),
        lsetxattr=(path, *word),
        fsetxattr=(_descriptor(), *word),
        setxattrat=(_HERE, path, 0, word[0], described, 16),
        file_setattr=(_HERE, path, flags, 24, 0),
    )


def send_datagram() -> None:
    """Sends a datagram."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"?", ("127.0.0.1", TARGETS["udp"]))


def read_memory() -> None:
    """Reads the memory of another process, as a tracer could."""
    here, there = ctypes.create_string_buffer(8), ctypes.c_size_t(8)
    local = (ctypes.c_size_t * 2)(ctypes.addressof(here), 8)
    remote = (ctypes.c_size_t * 2)(ctypes.addressof(there), 8)
    try:
        _called("process_vm_readv", TARGETS["pid"], local, 1, remote, 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:  # allowed, though nothing lies there
            raise


def ask_for_referee() -> None:
    """Asks something of another process, by any call that tells whether it is there."""
    pid, room = TARGETS["pid"], ctypes.create_string_buffer(128)
    _any_of(
        getpgid=(pid,),
        getsid=(pid,),
        getpriority=(0, pid),
        sched_getaffinity=(pid, 128, room),
        sched_getscheduler=(pid,),
        sched_getparam=(pid, room),
        sched_getattr=(pid, room, 48, 0),
        sched_rr_get_interval=(pid, room),
        capget=(struct.pack("=Ii", 0x20080522, pid), room),
        get_robust_list=(pid, room, room),
    )


def share_segment() -> None:
    """Takes a segment of shared memory."""
    segment = _called("shmget", 0, _MIB, 0o1600)
    _called("shmctl", segment, 0, None)


def fill_disk() -> None:
    """Writes more than it may."""
    folder = os.environ.get("TMPDIR", TARGETS["folder"])
    for each in range(TARGETS["file_mb"] + 2):
        with open(f"{folder}/filler-{each}", "wb") as file:  # noqa: PTH123
            file.write(bytes(_MIB))


def map_much() -> None:
    """Maps so much that the kernel's tables of it would take more memory than it may."""
    if sys.platform == "linux":
        mmap.mmap(-1, 1 << 37, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ).close()


def widen_buffers() -> None:
    """Has the kernel keep more for a socket of its own."""
    for end in socket.socketpair():
        with end:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MIB)


def hide_descriptor() -> None:
    """Sends an open file to itself, where no limit of open files counts it."""
    here, there = socket.socketpair()
    with here, there:
        socket.send_fds(here, [b"?"], [0])


def hide_rules() -> None:
    """Makes rules of Landlock, whose memory no limit counts."""
    rules = ctypes.create_string_buffer(struct.pack("=Q", 1))
    os.close(_called_by_number("landlock_create_ruleset", rules, 8, 0))


def set_timer() -> None:
    """Takes a timer, of which all processes of a user have so many, and which can continue it."""
    timer = ctypes.create_string_buffer(8)
    _called_by_number("timer_create", 1, None, timer)


def change_share() -> None:
    """Changes its own share of the processors, or on which it runs, by any call that does."""
    lowest = ctypes.create_string_buffer(4)
    attributes = ctypes.create_string_buffer(struct.pack("=IIQiIQQQ", 48, 3, 0, 0, 0, 0, 0, 0))
    _any_of(
        sched_setscheduler=(0, 3, lowest),  # SCHED_BATCH
        sched_setparam=(0, lowest),
        sched_setattr=(0, attributes, 0),
        setpriority=(0, 0, os.getpriority(os.PRIO_PROCESS, 0)),
        sched_setaffinity=(0, 128, ctypes.create_string_buffer(b"\xff" * 128, 128)),
        ioprio_set=(1, 0, 2 << 13 | 4),
    )


def probe_cache() -> None:
    """Asks which pages of a file are in memory: a message from whoever has read them."""
    file = os.open(os.path.realpath(sys.executable), os.O_RDONLY)
    try:
        area = mmap.mmap(file, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(area))
        room, part = ctypes.create_string_buffer(64), struct.pack("=QQ", address, 1)
        _any_of(
            mincore=(address, 4096, room),
            cachestat=(file, struct.pack("=QQ", 0, 4096), room, 0),
            preadv2=(file, part, 1, 0, 0, 8),  # RWF_NOWAIT
        )
    finally:
        os.close(file)


def open_doors() -> None:
    """Opens one of the kernel's rarer doors."""
    room = ctypes.create_string_buffer(256)
    _any_of(
        io_uring_setup=(4, room),
        userfaultfd=(1,),
        memfd_secret=(0,),
        keyctl=(0, -3, 0),  # the number of its keys
        pidfd_open=(os.getpid(), 0),
        kcmp=(os.getpid(), os.getpid(), 1, 0, 0),
        bpf=(0, room, 72),
        perf_event_open=(room, 0, -1, -1, 0),
    )


def leave_session() -> None:
    """Leaves its session, out of reach of the signals that stop it."""
    if os.getsid(0) == os.getpid():
        raise PermissionError("it leads its session")
    os.setsid()


def start_process() -> None:
    """Starts a process."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def start_threads() -> None:
    """Starts more threads than it may."""
    over = threading.Event()
    started = []
    try:
        for _ in range(TARGETS["processes"] + 1):
            thread = threading.Thread(target=over.wait)
            thread.start()
            started.append(thread)
    finally:
        over.set()
        for thread in started:
            thread.join()


def write_long_file() -> None:
    """Makes a file that is too long."""
    with open(TARGETS["folder"] + "/long", "wb") as file:  # noqa: PTH123
        file.truncate(2 << 30)


def see_names() -> None:
    """Asks for the size and the times of a file that it may not read."""
    os.stat(TARGETS["secret"])  # noqa: PTH116 - as the others do


def see_processes() -> None:
    """Finds another process."""
    if TARGETS["pid"] == os.getpid():
        raise PermissionError("it is this one's number here")
    os.stat(f"/proc/{TARGETS['pid']}")  # noqa: PTH116 - as the others do


def see_network() -> None:
    """Finds a socket of others in the tables of the network."""
    if TARGETS["unix"] not in Path("/proc/self/net/unix").read_text(encoding="utf-8"):
        raise PermissionError("it is not there")


def see_memory() -> None:
    """Learns how much of the machine's memory is in use: others change it."""
    figures = dict(re.findall(r"(\w+): +(\d+)", Path("/proc/meminfo").read_text(encoding="ascii")))
    if figures["MemFree"] == figures["MemTotal"]:
        raise PermissionError("it is not told")


def leave_times() -> None:
    """Finds a file system that is not read-only: reading a file there leaves a time."""
    for path in (TARGETS["folder"], "/", "/usr", "/proc"):
        with suppress(FileNotFoundError):
            if not os.statvfs(path).f_flag & os.ST_RDONLY:
                return
    raise PermissionError("all are")


def _any_of(**calls: tuple[Any, ...]) -> None:
    """Makes calls by their numbers until one succeeds. Raises PermissionError if none does."""
    for name, arguments in calls.items():
        with suppress(OSError, KeyError):  # a call that this machine has not
            _called_by_number(name, *arguments)
            return
    raise PermissionError(", ".join(calls))


def _called_by_number(name: str, *arguments: Any) -> int:
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _called("syscall", ctypes.c_long(TARGETS["numbers"][name]), *words)


def _descriptor() -> int:
    """The secret, if it can be opened, as its owner may; else no file."""
    with suppress(OSError):
        return os.open(TARGETS["secret"], os.O_RDONLY)
    return -1


def _connect(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(address)


def _open(path: str) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _raise_limit(name: str, value: int) -> None:
    kind = getattr(resource, f"RLIMIT_{name}")
    resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))


def _address_of(data: bytes) -> tuple[int]:
    return (ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0,)


def _called(name: str, *arguments: Any) -> int:
    result = int(getattr(LIBRARY, name)(*arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def main() -> None:
    """Attempts what the first argument names, on the targets of the second."""
    attempts = {"limits": LIMITS, "programs": PROGRAMS}.get(sys.argv[1], KERNEL + TREE)
    TARGETS.update(json.loads(sys.argv[2]))
    succeeded = []
    for name in attempts:
        attempt = _SIMPLE.get(name) or globals()[name]
        with suppress(OSError, MemoryError, RuntimeError, KeyError, ValueError):
            attempt()
            succeeded.append(name)
    print(json.dumps(succeeded))


if __name__ == "__main__":
    main()
