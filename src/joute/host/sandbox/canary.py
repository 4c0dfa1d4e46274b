"""A program that attempts what its isolation forbids, and says what it could do.

Run as a file by a bare interpreter, with a JSON object of targets as its argument: `secret` (a
file), `folder` (where it must not write), `tcp` and `udp` (ports of 127.0.0.1), `unix` (the path of
a socket), `abstract` (the name of one), `pid` (of the referee), `memory_mb`, `file_mb`, `processes`
(its limits). Prints the names of what succeeded, as a JSON list. Harms nothing where it succeeds.
"""

import ctypes
import errno
import json
import mmap
import os
import resource
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

LIBRARY = ctypes.CDLL(None, use_errno=True)
_NEW_USER = 0x10000000
_MIB = 1 << 20


def read_file(targets: dict[str, Any]) -> None:
    """Opens a file that it may not read."""
    os.close(os.open(targets["secret"], os.O_RDONLY))


def list_folder(targets: dict[str, Any]) -> None:
    """Lists a folder that it may not."""
    os.scandir(targets["folder"]).close()


def write_file(targets: dict[str, Any]) -> None:
    """Makes a file outside its scratch folder."""
    os.close(os.open(targets["folder"] + "/written", os.O_WRONLY | os.O_CREAT))


def change_mode(targets: dict[str, Any]) -> None:
    """Changes who may read a file."""
    Path(targets["secret"]).chmod(0o600)


def change_times(targets: dict[str, Any]) -> None:
    """Changes when a file was written: a message to another bot."""
    os.utime(targets["secret"])


def connect_tcp(targets: dict[str, Any]) -> None:
    """Connects to a port."""
    socket.create_connection(("127.0.0.1", targets["tcp"]), 1.0).close()


def send_datagram(targets: dict[str, Any]) -> None:
    """Sends a datagram."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"?", ("127.0.0.1", targets["udp"]))


def connect_unix(targets: dict[str, Any]) -> None:
    """Connects to a socket with a path."""
    with socket.socket(socket.AF_UNIX) as made:
        made.connect(targets["unix"])


def connect_abstract(targets: dict[str, Any]) -> None:
    """Connects to a socket without one."""
    with socket.socket(socket.AF_UNIX) as made:
        made.connect("\0" + targets["abstract"])


def signal_referee(targets: dict[str, Any]) -> None:
    """Sends a signal that does nothing."""
    os.kill(targets["pid"], 0)


def read_memory(targets: dict[str, Any]) -> None:
    """Reads the memory of another process, as a tracer could."""
    here, there = ctypes.create_string_buffer(8), ctypes.c_size_t(8)
    local = (ctypes.c_size_t * 2)(ctypes.addressof(here), 8)
    remote = (ctypes.c_size_t * 2)(ctypes.addressof(there), 8)
    try:
        _called("process_vm_readv", targets["pid"], local, 1, remote, 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:  # allowed, though nothing lies there
            raise


def see_referee(targets: dict[str, Any]) -> None:
    """Opens the environment of another process."""
    os.close(os.open(f"/proc/{targets['pid']}/environ", os.O_RDONLY))


def limit_referee(targets: dict[str, Any]) -> None:
    """Asks for the limits of another process, as if to change them."""
    resource.prlimit(targets["pid"], resource.RLIMIT_CORE)


def take_namespace(targets: dict[str, Any]) -> None:
    """Takes a user namespace, where it would be root."""
    _called("unshare", _NEW_USER)


def take_memory(targets: dict[str, Any]) -> None:
    """Takes more memory than it may."""
    bytearray((targets["memory_mb"] + 64) * _MIB)


def share_memory(targets: dict[str, Any]) -> None:
    """Takes memory that is shared, which no limit of data counts."""
    mmap.mmap(-1, _MIB).close()


def share_segment(targets: dict[str, Any]) -> None:
    """Takes a segment of shared memory."""
    segment = _called("shmget", 0, _MIB, 0o1600)
    _called("shmctl", segment, 0, None)


def hide_memory(targets: dict[str, Any]) -> None:
    """Makes a file in memory."""
    os.close(os.memfd_create("hidden"))


def fill_disk(targets: dict[str, Any]) -> None:
    """Writes more than it may."""
    folder = os.environ.get("TMPDIR", targets["folder"])
    for each in range(targets["file_mb"] + 2):
        with open(f"{folder}/filler-{each}", "wb") as file:  # noqa: PTH123
            file.write(bytes(_MIB))


def leave_session(targets: dict[str, Any]) -> None:
    """Leaves its session, out of reach of the signals that stop it."""
    if os.getsid(0) == os.getpid():
        raise PermissionError("it leads its session")
    os.setsid()


def start_process(targets: dict[str, Any]) -> None:
    """Starts a process."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def start_threads(targets: dict[str, Any]) -> None:
    """Starts more threads than it may."""
    over = threading.Event()
    started = []
    try:
        for _ in range(targets["processes"] + 1):
            thread = threading.Thread(target=over.wait)
            thread.start()
            started.append(thread)
    finally:
        over.set()
        for thread in started:
            thread.join()


def write_long_file(targets: dict[str, Any]) -> None:
    """Makes a file that is too long."""
    with open(targets["folder"] + "/long", "wb") as file:  # noqa: PTH123
        file.truncate(2 << 30)


LIMITS: tuple[Callable[[dict[str, Any]], None], ...] = (take_memory, write_long_file)
"""What `limits` forbids."""
KERNEL: tuple[Callable[[dict[str, Any]], None], ...] = (
    *(read_file, list_folder, write_file, change_mode, change_times, see_referee, fill_disk),
    *(connect_tcp, send_datagram, connect_unix, connect_abstract),
    *(signal_referee, limit_referee, read_memory, take_namespace, leave_session),
    *(take_memory, share_memory, share_segment, hide_memory, start_threads, start_process),
)
"""What `kernel` forbids, and `full`."""


def _called(name: str, *arguments: Any) -> int:
    result = int(getattr(LIBRARY, name)(*arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return result


def main() -> None:
    """Attempts what the first argument names, on the targets of the second."""
    attempts = {"limits": LIMITS, "kernel": KERNEL, "full": KERNEL}[sys.argv[1]]
    targets = json.loads(sys.argv[2])
    succeeded = []
    for attempt in attempts:
        with suppress(OSError, MemoryError, RuntimeError, KeyError):
            attempt(targets)
            succeeded.append(attempt.__name__)
    print(json.dumps(succeeded))


if __name__ == "__main__":
    main()
