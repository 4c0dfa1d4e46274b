"""Attacks that take more memory than a bot may have: their own, shared, hidden, or the kernel's."""

import ctypes
import fcntl
import mmap
import os
import resource
import socket
import struct

from joute.redteam.attacks.attempt import attempt, by_number, call, kept, linger, packed

_MB = 1 << 20
_READ, _WRITE = 1, 3  # of a mapping's protection
_SHARED, _PRIVATE, _VALIDATED, _DROPPABLE, _ANONYMOUS = 1, 2, 3, 8, 0x20
_GROWS_DOWN, _LOCKED, _HUGE = 0x100, 0x2000, 0x40000
_CHILDREN = 6
_PIPES = 400
_STACK_STEP, _PAGE = 4 * _MB, 4096
_TABLE_SPAN, _TABLE_ENTRY = 2 * _MB, 4096


def _mapped(size, flags, protection=_WRITE, descriptor=-1):
    """The address of new memory."""
    return call("mmap", None, size, protection, flags, descriptor, 0)


def _filled(size, flags, descriptor=-1):
    """The address of new memory, with something in it."""
    start = _mapped(size, flags, descriptor=descriptor)
    ctypes.memset(start, 1, size)
    return start


def _fill(area, size):
    page = b"x" * (4 * _MB)
    for at in range(0, size, len(page)):
        area[at : at + len(page)] = page
    kept.append(area)


def memory_own(aim):
    """Asks for 10 GB in one piece, then for piece after piece; it stops by itself at `most_mb`."""

    def pieces():
        for number in range(aim["most_mb"] // 4):
            kept.append(b"x" * (4 * _MB))

    return attempt(once=lambda: len(bytearray(10 << 30)), pieces=pieces)


def memory_stack(aim):
    """Takes memory on the stack of its first thread, which the limit on data leaves out."""
    most, infinite = aim["most_mb"] * _MB, resource.RLIM_INFINITY

    def limit():
        return resource.getrlimit(resource.RLIMIT_STACK)

    def grow():
        with open("/proc/self/maps") as file:
            [line] = [line for line in file if line.endswith("[stack]\n")]
        lowest, taken = int(line.split("-")[0], 16), 0
        # Downwards in steps; where the limit is, the step before is the last that is tried.
        room = min(most, limit()[0] - 2 * _MB)
        while taken + _STACK_STEP <= room:
            taken += _STACK_STEP
            for at in range(0, _STACK_STEP, _PAGE):
                ctypes.memset(lowest - taken + at, 1, 8)
        return taken >> 20

    return attempt(
        limit=lambda: resource.setrlimit(resource.RLIMIT_STACK, (infinite, infinite)),
        most=lambda: resource.setrlimit(resource.RLIMIT_STACK, (most, limit()[1])),
        grow=grow,
    )


def memory_tables(aim):
    """Has the kernel make page tables: maps much, and reads one byte of every two megabytes."""

    def tables(size):
        start = _mapped(size, _PRIVATE | _ANONYMOUS, _READ)
        # Pages of two megabytes would need no tables.
        call("madvise", start, size, 15)
        for at in range(start, start + size, _TABLE_SPAN):
            ctypes.c_char.from_address(at).value
        return size >> 20

    size = aim["most_mb"] * _MB // _TABLE_ENTRY * _TABLE_SPAN
    answer = attempt(at_once=lambda: tables(size))
    if "ENOMEM" in answer["message"]:
        return attempt(in_pieces=lambda: [tables(4 << 30) for piece in range(size >> 32)])
    return answer


def memory_protected(aim):
    """Fills memory and then protects it from writing, so that the limit counts it no longer."""

    def pieces():
        for _ in range(aim["most_mb"] // 8):
            call("mprotect", _filled(8 * _MB, _PRIVATE | _ANONYMOUS), 8 * _MB, _READ)

    return attempt(readable=pieces)


def memory_shared(aim):
    """Takes shared memory that is shared with nobody, which no limit of a process counts."""
    most = aim["most_mb"] * _MB
    return attempt(shared=lambda: _fill(mmap.mmap(-1, most), most))


def memory_file(aim):
    """Takes memory as files that have no name and lie in no folder."""

    def files():
        for number in range(aim["most_mb"] // 32):
            descriptor = os.memfd_create("store")
            kept.append(descriptor)
            for piece in range(8):
                os.write(descriptor, b"x" * (4 * _MB))

    return attempt(files=files)


def memory_named(aim):
    """Takes shared memory under a name, which stays after the process has ended."""
    most = aim["most_mb"] * _MB

    def posix():
        path = "/dev/shm/mine-" + aim["token"]
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        os.truncate(descriptor, most)
        _fill(mmap.mmap(descriptor, most), most)

    def system_v():
        number = call("shmget", int(aim["token"][:7], 16), most, 0o1600)
        ctypes.memset(call("shmat", number, None, 0), 1, most)

    return attempt(posix=posix, system_v=system_v)


def memory_children(aim):
    """Takes in each of several children as much memory as one process may."""

    def share():
        ready, told = os.pipe()
        for number in range(_CHILDREN):
            if os.fork() == 0:
                hoard = b"x" * (aim["memory_mb"] // 2 * _MB)
                os.write(told, b".")
                linger(20)
                os._exit(len(hoard) & 1)
        os.close(told)
        for number in range(_CHILDREN):
            os.read(ready, 1)

    return attempt(children=share)


def memory_kinds(aim):
    """Takes memory of rarer kinds: stacks that grow, huge pages, pages that may be dropped."""
    most = aim["most_mb"] * _MB

    def fill(flags, descriptor=-1):
        _refuse_more()
        kept.append(_filled(most, flags, descriptor))

    def secret():
        made = by_number("memfd_secret", 0)
        os.ftruncate(made, most)
        fill(_SHARED, made)

    def kept_when_moved():
        _refuse_more()
        for _ in range(most >> 23):
            start = _filled(8 * _MB, _PRIVATE | _ANONYMOUS)
            call("mremap", start, 8 * _MB, 8 * _MB, 5, 0)  # MAYMOVE, DONTUNMAP

    return attempt(
        zeros=lambda: fill(_SHARED, os.open("/dev/zero", os.O_RDWR)),
        validated=lambda: fill(_VALIDATED | _ANONYMOUS),
        growing=lambda: fill(_PRIVATE | _ANONYMOUS | _GROWS_DOWN),
        huge=lambda: fill(_PRIVATE | _ANONYMOUS | _HUGE),
        lent=lambda: fill(_DROPPABLE | _ANONYMOUS),
        secret=secret,
        shadow=lambda: by_number("map_shadow_stack", 0, _MB, 0),
        kept_when_moved=kept_when_moved,
    )


def _refuse_more():
    if kept:
        raise MemoryError("it has enough")


def memory_locked(aim):
    """Keeps memory from being given to others when it gets short: locks it, takes huge pages."""
    size = 4 * _MB
    area = ctypes.create_string_buffer(size)
    return attempt(
        lock=lambda: call("mlock", ctypes.addressof(area), size),
        lock_later=lambda: by_number("mlock2", ctypes.addressof(area), size, 1),
        lock_all=lambda: call("mlockall", 2),
        locked=lambda: _mapped(size, _PRIVATE | _ANONYMOUS | _LOCKED),
        huge=lambda: _mapped(size, _PRIVATE | _ANONYMOUS | _HUGE),
    )


def _until_full(send, most):
    """The bytes that a pipe or a socket takes while nobody reads, up to about so many."""
    written = 0
    try:
        while written < most:
            written += send()
    except BlockingIOError:
        pass
    return written


def memory_sockets(aim):
    """Takes kernel memory: fills pairs of sockets that nobody reads, with wide buffers."""
    most, piece = aim["most_mb"] * _MB, bytes(1 << 17)
    totals = []

    def fill(kind, wide):
        written = 0
        while sum(totals) + written < most:
            pair = socket.socketpair(socket.AF_UNIX, kind)
            kept.append(pair)
            for end in pair:
                end.setblocking(False)
                if wide:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MB)
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _MB)
                written += _until_full(lambda end=end: end.send(piece), 10 * most)
        totals.append(written)
        return written >> 20

    return attempt(
        streams=lambda: fill(socket.SOCK_STREAM, True),
        packets=lambda: fill(socket.SOCK_SEQPACKET, True),
        usual=lambda: fill(socket.SOCK_STREAM, False),
    )


def memory_pipes(aim):
    """Takes kernel memory: fills pipes that nobody reads, made as long as they can be."""
    most, piece = aim["most_mb"] * _MB, bytes(1 << 16)
    totals = []

    def fill(length):
        written = 0
        for _ in range(_PIPES):
            out, into = os.pipe()
            kept.extend((out, into))
            os.set_blocking(into, False)
            if length:
                fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, length)
            room = most - sum(totals) - written
            written += _until_full(lambda into=into: os.write(into, piece), room)
        totals.append(written)
        return written >> 20

    return attempt(longest=lambda: fill(_MB), usual=lambda: fill(0))


def memory_rules(aim):
    """Takes kernel memory: makes rules of Landlock, any number in each open file."""

    def rules():
        made = by_number("landlock_create_ruleset", packed("QQ", 1, 3), 16, 0)
        kept.append(made)
        for port in range(1, 1 << 12):
            by_number("landlock_add_rule", made, 2, packed("QQ", 2, port), 0)

    return attempt(rules=rules)


def memory_filters(aim):
    """Takes kernel memory: has its calls filtered by one program after the other."""
    pass_all = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000) * 100)
    program = packed("H6xQ", 100, ctypes.addressof(pass_all))

    def repeated(load):
        by_number("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
        for _ in range(20):
            load()

    return attempt(
        by_prctl=lambda: repeated(lambda: by_number("prctl", 22, 2, program, 0, 0)),  # SECCOMP
        by_call=lambda: repeated(lambda: by_number("seccomp", 1, 0, program)),
    )
