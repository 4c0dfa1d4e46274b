"""The filter of system calls, as programs of the kernel's packet filter; made once by libseccomp.

Refused is what would undo the rest of the jail, what Landlock has no rule for (owners and times of
files, locks, sockets that are not TCP), memory that no limit counts, and what acts on the processes
of others. A call is refused with EPERM; one that libseccomp does not know yet, with ENOSYS, so that
C libraries fall back on an older one.

So that a stopped bot stays stopped, nothing in it can have SIGCONT sent. So that the time of every
child is added to its parent's, SIGCHLD stays as it is, for a child that ends while it is ignored is
forgotten with its time; the call seems to succeed, since some runtimes end where it does not.
"""

from __future__ import annotations

import errno
import functools
import signal
import socket
import struct
import tempfile
from types import ModuleType
from typing import Any

_WORD = 0xFFFFFFFF  # an int, of a 64-bit argument whose other half the kernel does not look at
_NEW_NAMESPACES = (0x80, 0x20000, *(1 << bit for bit in range(25, 31)))  # flags of clone
_THREAD = 0x10000
_SIBLING = 0x8000  # a child of its maker's parent, which is ours
_LAST_SIGNAL = 0xFF  # of the flags: the signal that its end sends
_CREATION = 0x241  # O_CREAT | O_TRUNC | O_WRONLY
_MOST_CALLS = 1 << 9  # numbers from here on are of another form of programs (x32)

_REFUSED = {
    "the processes of others": "ptrace process_vm_readv process_vm_writev process_madvise "
    "process_mrelease kcmp pidfd_open pidfd_getfd pidfd_send_signal tkill rt_sigqueueinfo "
    "rt_tgsigqueueinfo setsid setpgid ioprio_set migrate_pages move_pages",
    "namespaces and mounts": "mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig "
    "fsmount fspick mount_setattr unshare setns swapon swapoff",
    "the kernel": "bpf perf_event_open userfaultfd seccomp io_uring_setup io_uring_enter "
    "io_uring_register keyctl add_key request_key personality modify_ldt init_module finit_module "
    "delete_module kexec_load kexec_file_load reboot acct quotactl quotactl_fd syslog vhangup iopl "
    "ioperm lookup_dcookie nfsservctl",
    "clocks and names": "clock_settime clock_adjtime settimeofday adjtimex sethostname "
    "setdomainname",
    "memory that no limit counts": "shmget shmat shmctl shmdt memfd_create memfd_secret "
    "remap_file_pages vmsplice",
    "messages between bots": "semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open "
    "mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr flock inotify_init "
    "inotify_init1 inotify_add_watch fanotify_init fanotify_mark bind listen accept accept4",
    "what Landlock does not see of files": "chmod fchmod fchmodat chown fchown lchown fchownat "
    "utime utimes utimensat futimesat truncate setxattr lsetxattr fsetxattr removexattr "
    "lremovexattr fremovexattr mknod mknodat name_to_handle_at open_by_handle_at sync syncfs",
}
"""Calls that are refused whatever their arguments, by what they would reach."""

_UNKNOWN = ("clone3", "openat2")
"""Calls whose arguments lie in memory, where no filter sees them: the older ones do."""

_REFUSED_BY_WORD = {
    "prctl": (0, (1, 36)),  # not to die with the referee, to keep orphans or not
    # Locks, owners of signals and which signal, pipes' size.
    "fcntl": (1, (6, 7, 8, 10, 15, 37, 38, 1024, 1026, 1031)),
    "kill": (1, (signal.SIGCONT,)),
    "tgkill": (2, (signal.SIGCONT,)),
    "ioctl": (
        1,
        # Words put into a terminal, owners of signals, attributes of files.
        (0x5412, 0x541C, 0x8901, 0x8902, 0x40086602, 0x401C5820, 0x40087602),
    ),
}
"""Calls with the place of an argument, and what it must not be."""

_OF_OTHERS = {
    "prlimit64": (0,),
    "sched_setaffinity": (0,),
    "sched_setscheduler": (0,),
    "sched_setparam": (0,),
    "sched_setattr": (0,),
    "setpriority": (0, 1),
}
"""Calls with the arguments that must be 0, which means the process itself."""


def library() -> ModuleType | None:
    """The binding of libseccomp; None where it, or the library itself, is missing."""
    try:
        import pyseccomp
    except (ImportError, OSError, RuntimeError, AttributeError):
        return None
    module: ModuleType = pyseccomp
    return module


@functools.cache
def programs(network: bool, children: bool) -> tuple[bytes, ...]:
    """The programs to load, one after the other; every call passes through all of them.

    Args:
        network: whether TCP sockets may be made.
        children: whether processes may be started, and not only threads.

    Raises OSError where there is no libseccomp.
    """
    binding = library()
    if binding is None:
        raise OSError(errno.ENOSYS, "libseccomp is not installed")
    return _unknown(binding), _refusals(binding, network, children)


@functools.cache
def signal_calls() -> tuple[int, ...]:
    """The numbers of the calls that send a signal and name a process first."""
    binding = library()
    if binding is None:
        return ()
    architecture = binding.system_arch()
    return tuple(binding.resolve_syscall(architecture, name) for name in ("kill", "tgkill"))


def _refusals(binding: Any, network: bool, children: bool) -> bytes:
    made = binding.SyscallFilter(binding.ALLOW)
    no = binding.ERRNO(errno.EPERM)

    def refuse(name: str, *conditions: Any, action: int = no) -> None:
        # A call that this machine has not, or the library knows not, is refused as unknown.
        if _named(binding, binding.system_arch(), name):
            made.add_rule(action, name, *conditions)

    def bits(place: int, mask: int, value: int) -> Any:
        return binding.Arg(place, binding.MASKED_EQ, mask, value)

    for names in _REFUSED.values():
        for name in names.split():
            refuse(name)
    for name in _UNKNOWN:
        refuse(name, action=binding.ERRNO(errno.ENOSYS))
    for name, (place, values) in _REFUSED_BY_WORD.items():
        for value in values:
            refuse(name, bits(place, _WORD, value))
    for name, places in _OF_OTHERS.items():
        for place in places:
            refuse(name, binding.Arg(place, binding.NE, 0))
    # Shared memory without a file, and stacks that grow: RLIMIT_DATA counts neither.
    refuse("mmap", bits(3, 0x21, 0x21))
    refuse("mmap", bits(3, 0x100, 0x100))
    # Opened for reading and emptied at once, which the first versions of Landlock let pass.
    refuse("open", bits(1, _CREATION, 0x200))
    refuse("openat", bits(2, _CREATION, 0x200))
    # Of datagrams, either end of a pair can be turned to an address.
    for datagrams in (socket.SOCK_DGRAM, socket.SOCK_RAW):
        refuse("socketpair", bits(1, 0xF, datagrams))
    if network:
        refuse("socket", binding.Arg(0, binding.NE, socket.AF_INET))
        for kind in range(2, 16):
            refuse("socket", bits(1, 0xF, kind))
    else:
        refuse("socket")
        refuse("connect")
    for flag in (*_NEW_NAMESPACES, _SIBLING):
        refuse("clone", bits(0, flag, flag))
    refuse("clone", bits(0, _LAST_SIGNAL, signal.SIGCONT))
    childs_end = bits(0, _WORD, signal.SIGCHLD)
    refuse("rt_sigaction", childs_end, binding.Arg(1, binding.NE, 0), action=binding.ERRNO(0))
    if not children:
        refuse("clone", bits(0, _THREAD, 0))
        refuse("fork")
        refuse("vfork")
    return _exported(made)


def _unknown(binding: Any) -> bytes:
    """Refuses calls that are younger than the library, whose names it cannot know."""
    architecture = binding.system_arch()
    last = max(n for n in range(_MOST_CALLS) if _named(binding, architecture, n))
    lines = (
        (0x20, 0, 0, 0),  # the number of the call
        (0x25, 0, 1, last),  # if it is greater
        (0x06, 0, 0, 0x00050000 | errno.ENOSYS),
        (0x06, 0, 0, 0x7FFF0000),  # let it pass
    )
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _named(binding: Any, architecture: int, call: int | str) -> bool:
    """Whether the library knows a call of this architecture, by its number or its name."""
    try:
        found = binding.resolve_syscall(architecture, call)
    except (OSError, ValueError):
        return False
    return not isinstance(found, int) or found >= 0


def _exported(made: Any) -> bytes:
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
