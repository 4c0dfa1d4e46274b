"""Enters the kernel by its older doors, of 32-bit programs, whose calls have other numbers."""

import ctypes
import mmap
import platform

from attempt import attempt, call

X32 = 0x40000000
LOW = 0x40  # an address that fits into 32 bits


def play(observation, clock):
    path = observation["aim"]["other_bot"].encode()

    def interrupt(number, *arguments):
        if platform.machine() != "x86_64":
            raise OSError(38, "no such entry")
        place = call("mmap", None, 8192, 7, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | LOW, -1, 0)
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
        mode_at=lambda: interrupt(306, -100, path, 0o777),
        mode_newer=lambda: interrupt(452, -100, path, 0o777),
        owner=lambda: interrupt(182, path, 65533, 65533),
        empty=lambda: interrupt(92, path, 0),
        process=lambda: interrupt(2),
        x32_mode=lambda: call("syscall", X32 | 90, path, 0o777),
        x32_mode_at=lambda: call("syscall", X32 | 268, -100, path, 0o777),
        x32_mode_newer=lambda: call("syscall", X32 | 452, -100, path, 0o777, 0),
        x32_process=lambda: call("syscall", X32 | 57),
    )
