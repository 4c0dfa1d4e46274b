"""Files and ports by Landlock: what is not in the policy cannot be opened, made or connected to.

Each version of Landlock handles more; asked for is what the running kernel knows. What older ones
leave open (truncation, signals, sockets) is closed by the filter of system calls.

Source: the kernel's Documentation/userspace-api/landlock.rst.
"""

import ctypes
import os
import stat
import struct

from .system import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Optional

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every machine
_VERSION = 1  # the flag that asks for it
_PATH_BENEATH, _NET_PORT = 1, 2  # kinds of rules

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_REFER, _TRUNCATE, _DEVICE_CONTROL = 1 << 13, 1 << 14, 1 << 15
_CONNECT_TCP = 2
_SCOPES = 3  # abstract sockets and signals

KEEPS_SIGNALS = 6  # The version that keeps signals inside

READ = _EXECUTE | _READ_FILE | _READ_DIR
WRITE = READ | _WRITE_FILE | _TRUNCATE | 0x11B0 | _REFER
"""And make and remove files, folders and links in there; neither devices nor sockets."""
CHANGE = _WRITE_FILE | _TRUNCATE | 0x11B0  # As WRITE, but what is there cannot be read
USE = _READ_FILE | _WRITE_FILE
LIST = _READ_DIR
_OF_FILES = _EXECUTE | _READ_FILE | _WRITE_FILE | _TRUNCATE | _DEVICE_CONTROL


def version() -> int:
    """The version of Landlock that the kernel offers; 0 if it has none."""
    try:
        return _system(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    except OSError:
        return 0


class Ruleset:
    """A set of rules of Landlock, which allows nothing at first."""

    def __init__(self, known: int) -> None:
        """Starts with no rule.

        Args:
            known: the version of Landlock to keep to, 1 or more.

        Raises OSError.
        """
        files = (1 << 13) - 1
        files |= _REFER if known >= 2 else 0
        files |= _TRUNCATE if known >= 3 else 0
        files |= _DEVICE_CONTROL if known >= 5 else 0
        self._files = files
        self._ports = known >= 4
        # The two fields that old kernels do not know must not be handed to them.
        size = 8 if known < 4 else 16 if known < 6 else 24
        attributes = struct.pack("=QQQ", files, 3, _SCOPES)[:size]
        self._ruleset = _system(
            _CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0)
        )

    def allow(self, paths: "Iterable[str]", rights: int) -> None:
        """Allows `rights` on files, and on folders with all that is in them; absent ones are none.

        Raises OSError.
        """
        for path in paths:
            try:
                opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                folder = stat.S_ISDIR(os.fstat(opened).st_mode)
                allowed = rights & self._files & (-1 if folder else _OF_FILES)
                self._add(_PATH_BENEATH, struct.pack("=Qi", allowed, opened))
            finally:
                os.close(opened)

    def allow_port(self, port: "Optional[int]") -> None:
        """Allows to connect to one TCP port. Raises OSError."""
        if port is not None and self._ports:
            self._add(_NET_PORT, struct.pack("=QQ", _CONNECT_TCP, port))

    def enforce(self) -> None:
        """Holds this thread, and what it starts, to the rules for good. Raises OSError."""
        _system(_RESTRICT_SELF, ctypes.c_int(self._ruleset), ctypes.c_uint32(0))
        os.close(self._ruleset)

    def _add(self, kind: int, rule: bytes) -> None:
        _system(
            _ADD_RULE, ctypes.c_int(self._ruleset), ctypes.c_int(kind), rule, ctypes.c_uint32(0)
        )


def _system(number: int, *arguments: object) -> int:
    return call("syscall", ctypes.c_long(number), *arguments)
