"""The system calls that a bot may make, and the arguments on which that depends.

What is not allowed here is refused. Calls that are known and not named here get EPERM; calls that
are younger than the tables of `call_numbers` get ENOSYS, so that C libraries fall back on an older
one. Whoever adds a kernel's calls to the tables puts each of them in one of the groups here.

What CPython, NumPy, Numba, PyTorch, shells, Java, Node.js, Go and what C, C++ and Rust are compiled
to need for computing, for threads, for children and for files of their own is allowed.
"""

from __future__ import annotations

import errno
import functools
import platform
import struct
from collections.abc import Mapping
from typing import NamedTuple

from joute.host.sandbox.call_numbers import NUMBERS
from joute.host.sandbox.packet_filter import (
    ALLOWED,
    Condition,
    Conditional,
    Decision,
    compiled,
    refused,
)

_ALLOWED = {
    "files and pipes that are open": "read write readv writev pread64 pwrite64 preadv pwritev "
    "close close_range lseek dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 fstat fstatfs "
    "ftruncate fallocate copy_file_range sendfile getdents getdents64 fchdir",
    "paths, which Landlock keeps to what may be reached": "stat lstat newfstatat statx access "
    "faccessat faccessat2 statfs readlink readlinkat getcwd chdir umask creat mkdir mkdirat rmdir "
    "rename renameat renameat2 link linkat unlink unlinkat symlink symlinkat",
    "memory": "munmap mprotect mremap brk get_mempolicy",
    "threads and children": "execve execveat exit exit_group wait4 waitid set_tid_address "
    "set_robust_list rseq sched_yield restart_syscall",
    "signals within": "rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait "
    "rt_sigsuspend sigaltstack pause signalfd signalfd4",
    "who and where it is": "getpid getppid gettid getpgrp getuid geteuid getgid getegid getresuid "
    "getresgid getgroups uname sysinfo getrlimit setrlimit getrusage times getcpu getrandom "
    "sched_get_priority_max sched_get_priority_min",
    "time": "time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep alarm "
    "getitimer setitimer timerfd_create timerfd_settime timerfd_gettime",
    "waiting for several things": "epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait "
    "epoll_pwait2 eventfd eventfd2",
    "its own end of a pair of sockets": "recvfrom recvmsg recvmmsg shutdown getsockname "
    "getpeername getsockopt",
}
"""Calls that pass whatever their arguments."""

_FILE_ATTRIBUTES = "chmod fchmod fchmodat fchmodat2 utime utimes utimensat futimesat"
"""Calls that change permissions and times of files, whoever may write these: Landlock sees none."""

_REFUSED = {
    "other processes": "ptrace process_vm_readv process_vm_writev process_madvise "
    "process_mrelease kcmp pidfd_open pidfd_getfd pidfd_send_signal tkill rt_sigqueueinfo "
    "rt_tgsigqueueinfo setsid setpgid migrate_pages move_pages get_robust_list capget",
    # A bot that lowers its own priority makes its turn look as if the machine were busy.
    "its share of the machine": "setpriority sched_setscheduler sched_setparam "
    "sched_setattr sched_setaffinity ioprio_set ioprio_get",
    "namespaces and mounts": "mount umount2 pivot_root chroot move_mount open_tree open_tree_attr "
    "fsopen fsconfig fsmount fspick mount_setattr unshare setns swapon swapoff statmount listmount",
    "the kernel": "bpf perf_event_open userfaultfd seccomp keyctl add_key request_key modify_ldt "
    "init_module finit_module delete_module kexec_load kexec_file_load reboot acct quotactl "
    "quotactl_fd syslog vhangup iopl ioperm lookup_dcookie nfsservctl uretprobe lsm_get_self_attr "
    "lsm_set_self_attr lsm_list_modules set_thread_area get_thread_area",
    "another user": "setuid setgid setreuid setregid setfsuid setfsgid setgroups capset",
    "clocks and names": "clock_settime clock_adjtime settimeofday adjtimex sethostname "
    "setdomainname",
    "memory that no limit counts": "shmget shmat shmctl shmdt memfd_create memfd_secret "
    "remap_file_pages map_shadow_stack mlock mlock2 mlockall munlock munlockall splice tee "
    "vmsplice pkey_alloc pkey_free pkey_mprotect mbind set_mempolicy set_mempolicy_home_node",
    # A timer of the kernel continues a stopped process, with SIGCONT.
    "what all processes of a user or of the machine share": "timer_create timer_settime "
    "timer_gettime timer_getoverrun timer_delete io_setup io_destroy io_submit io_cancel "
    "io_getevents io_pgetevents",
    "messages between bots": "semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open "
    "mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr inotify_init "
    "inotify_init1 inotify_add_watch inotify_rm_watch fanotify_init fanotify_mark bind listen "
    "accept accept4 mincore cachestat",
    "permissions and times of files": _FILE_ATTRIBUTES,
    "what else Landlock does not see of files": "chown fchown lchown fchownat truncate "
    "file_getattr file_setattr mknod mknodat name_to_handle_at open_by_handle_at",
    "what kernels no longer have": "uselib ustat sysfs _sysctl create_module get_kernel_syms "
    "query_module getpmsg putpmsg afs_syscall tuxcall security vserver epoll_ctl_old "
    "epoll_wait_old",
}
"""Calls that are refused whatever their arguments, by what they would reach."""

_ABSENT = (
    # Their arguments lie in memory, where no filter sees them: the older ones do.
    *("clone3", "openat2"),
    # Programs try these and have another way.
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "futex_waitv", "futex_wake"),
    *("futex_wait", "futex_requeue", "mseal"),
    # A lock on a file that others read too would be a message to them; Cargo goes on without.
    "flock",
    *("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"),
)
"""Calls that are answered as if the kernel had not got them."""

_ATTRIBUTES = (
    "getxattr lgetxattr fgetxattr getxattrat listxattr llistxattr flistxattr listxattrat setxattr "
    "lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat"
)
"""Calls that are answered as on a file system without extended attributes."""

_NOTHING_TO_DO = "fsync fdatasync msync sync syncfs sync_file_range fadvise64 readahead"
"""Calls that do nothing and succeed: nothing that a bot writes lasts, and others' disks and what
the kernel keeps of them are not for a bot to work on."""

_NEW_NAMESPACES = 0x80 | 0x20000 | sum(1 << bit for bit in range(25, 31))  # flags of clone
_EXIT_SIGNAL, _AS_SIBLING, _THREAD = 0xFF, 0x8000, 0x10000
_SIGCHLD, _SIGCONT = 17, 18
_SIGNALS = tuple(number for number in range(65) if number != _SIGCONT)
_NOT_OF_CHILDREN = tuple(number for number in range(65) if number != _SIGCHLD)
_PRIVATE_FUTEX = 0x80
_WAITING = (0, 9)  # FUTEX_WAIT and FUTEX_WAIT_BITSET
_WAKING = (1, 3, 4, 5, 10)
_TRUNCATE, _ACCESS = 0x200, 3
_SHARED, _PRIVATE, _VALIDATED, _ANONYMOUS = 1, 2, 3, 0x20
_MAP_KINDS = 0xF | _ANONYMOUS | 0x100 | 0x40000  # stacks that grow, huge pages
_STREAM, _PACKETS, _SOCKET_KIND = 1, 5, 0xF
_UNIX, _INET = 1, 2
_TCP = 6
_FAST_OPEN = 0x20000000  # a connection that no rule on connections sees
_OPTIONS = {1: (2, 9, 13, 20, 21), _TCP: (1, 3, 4, 5, 6, 12, 18)}
"""Of sockets, by their level: addresses, keeping alive, timeouts; no size of buffers, no filter."""


def _none(argument: int, bits: int) -> Condition:
    """Holds where none of some bits is set."""
    return Condition(argument, (0,), bits)


def _if(*alternatives: tuple[Condition, ...]) -> Conditional:
    return Conditional(alternatives, refused(errno.EPERM))


_BY_ARGUMENTS: Mapping[str, Decision] = {
    # Opened for reading and emptied at once, which the first versions of Landlock let pass.
    "open": _if((Condition(1, (0, 1, 2, 3, 0x201, 0x202), _TRUNCATE | _ACCESS),)),
    "openat": _if((Condition(2, (0, 1, 2, 3, 0x201, 0x202), _TRUNCATE | _ACCESS),)),
    # Copying descriptors and their flags; no locks, owners of signals, leases, seals, pipes' size.
    "fcntl": _if((Condition(1, (0, 1, 2, 3, 4, 1030, 1032)),)),
    # The settings of a terminal, the number of bytes to read, flags of descriptors.
    "ioctl": _if(
        (Condition(1, (0x5401, 0x802C542A, 0x5413, 0x540F, 0x541B, 0x5421, 0x5450, 0x5451)),),
    ),
    # Shared memory without a file, stacks that grow and huge pages: RLIMIT_DATA counts none of it.
    "mmap": _if(
        (Condition(3, (_SHARED, _VALIDATED, _PRIVATE, _PRIVATE | _ANONYMOUS), _MAP_KINDS),)
    ),
    # No merging with others' pages, no page of a library thrown out for all.
    "madvise": _if(
        (Condition(2, (0, 1, 2, 3, 4, 8, 9, 10, 11, *range(13, 20), 22, 23, 102, 103)),)
    ),
    # Within the process only; others' processors are left alone.
    "membarrier": _if((Condition(0, (0, 8, 16, 32, 64)),)),
    # With flags, reading tells whether a page of a file is in memory.
    "preadv2": _if((Condition(5, (0,)),)),
    "pwritev2": _if((Condition(5, (0,)),)),
    # Of other processes, an answer would tell that they are there. Of its own threads, C libraries
    # ask too, and go on if the kernel has no such call.
    "getpgid": _if((Condition(0, (0,)),)),
    "getsid": _if((Condition(0, (0,)),)),
    "getpriority": _if((Condition(0, (0,)), Condition(1, (0,)))),
    **dict.fromkeys(
        (
            *("sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_getattr"),
            "sched_rr_get_interval",
        ),
        Conditional(((Condition(0, (0,)),),), refused(errno.ENOSYS)),
    ),
    # Landlock keeps signals within. Nothing in a bot continues it: it has been stopped.
    "kill": _if((Condition(1, _SIGNALS),)),
    "tgkill": _if((Condition(2, _SIGNALS),)),
    # A child that ends while SIGCHLD is ignored is forgotten, and the time that it used with it. So
    # that signal stays as it is, which can be asked; some runtimes end where they cannot set it.
    "rt_sigaction": Conditional(
        (
            (Condition(0, _NOT_OF_CHILDREN),),
            (Condition(1, (0,)), Condition(1, (0,), upper=True)),
        ),
        refused(0),
    ),
    "prlimit64": _if((Condition(0, (0,)),)),
    "personality": _if((Condition(0, (0xFFFFFFFF,)),)),  # which asks only
    # Names, questions, privileges that are given up, huge pages that are not wanted.
    "prctl": _if(
        (
            Condition(
                0,
                (
                    *(2, 3, 7, 15, 16, 21, 23, 27, 30, 38, 39, 41, 42, 51, 52, 56, 61),
                    *(0x41555856, 0x53564D41),
                ),
            ),
        ),
    ),
    # The base of a segment, wider registers; questions.
    "arch_prctl": _if(
        (Condition(0, (0x1001, 0x1002, 0x1003, 0x1004, 0x1011, 0x1021, 0x1022, 0x1023, 0x3001)),),
    ),
    # Of datagrams, either end of a pair can be turned to an address.
    "socketpair": _if((Condition(0, (_UNIX,)), Condition(1, (_STREAM, _PACKETS), _SOCKET_KIND))),
    "sendto": _if((_none(3, _FAST_OPEN),)),
}
"""Calls with what they turn on."""

_SAME = 0xFFFFFFFF  # -1: that number is not to be changed
_PROCESS_FLAGS = _NEW_NAMESPACES | _EXIT_SIGNAL | _AS_SIBLING
_WITH_CHILDREN: Mapping[str, Decision] = {
    # A child that is a sibling is counted with nobody; one whose end sends SIGCONT wakes another.
    "clone": _if((Condition(0, (0, _SIGCHLD), _PROCESS_FLAGS),)),
    "fork": ALLOWED,
    "vfork": ALLOWED,
    # `make` has each child take the user's number that it has already, and stops where it cannot.
    "setresuid": _if((Condition(0, (_SAME,)), Condition(2, (_SAME,)))),
    "setresgid": _if((Condition(0, (_SAME,)), Condition(2, (_SAME,)))),
    # None that looks for the owner of a lock: it would tell which processes there are.
    "futex": _if((Condition(1, _WAITING + _WAKING, 0x7F),)),
}
_WITHOUT_CHILDREN: Mapping[str, Decision] = {
    "clone": _if((Condition(0, (_THREAD, _THREAD | _SIGCHLD), _PROCESS_FLAGS | _THREAD),)),
    "fork": refused(errno.EPERM),
    "vfork": refused(errno.EPERM),
    "setresuid": refused(errno.EPERM),
    "setresgid": refused(errno.EPERM),
    # One that wakes others tells how many waited at a place of a file: a message between bots.
    # Threads that end are waited for at an address that is not marked as private.
    "futex": _if(
        (Condition(1, _WAITING, 0xFF),),
        (Condition(1, tuple(_PRIVATE_FUTEX | each for each in _WAITING + _WAKING), 0xFF),),
    ),
}
_WITH_NETWORK: Mapping[str, Decision] = {
    "socket": _if(
        (Condition(0, (_INET,)), Condition(1, (_STREAM,), _SOCKET_KIND), Condition(2, (0, _TCP))),
    ),
    "connect": ALLOWED,
    "setsockopt": _if(
        *((Condition(1, (level,)), Condition(2, names)) for level, names in _OPTIONS.items())
    ),
    "sendmsg": _if((_none(2, _FAST_OPEN),)),
    "sendmmsg": _if((_none(3, _FAST_OPEN),)),
}
_OF_BUILDS = f"{_FILE_ATTRIBUTES} setpgid rt_sigaction"
"""Calls of the tools of builds: `install` sets permissions, Ninja groups processes, and CMake waits
for SIGCHLD. What a build hides of its CPU time by ignoring that, the time on the wall limits."""

# Without a network, messages are of use only to hide open files in them from the limit.
_WITHOUT_NETWORK: Mapping[str, Decision] = dict.fromkeys(_WITH_NETWORK, refused(errno.EPERM))


class Kind(NamedTuple):
    """A kind of bots, by what else than computing it may do."""

    network: bool  # Whether it makes TCP sockets
    children: bool  # Whether it starts processes, and not only threads
    builds: bool = False  # Whether it builds a bot, out of reach of the files of others


def decisions(kind: Kind) -> dict[str, Decision]:
    """The decision on each call, by name; calls that no table has are not for bots either."""
    found: dict[str, Decision] = {}
    for names in _ALLOWED.values():
        found.update(dict.fromkeys(names.split(), ALLOWED))
    for names in _REFUSED.values():
        found.update(dict.fromkeys(names.split(), refused(errno.EPERM)))
    found.update(dict.fromkeys(_ABSENT, refused(errno.ENOSYS)))
    found.update(dict.fromkeys(_ATTRIBUTES.split(), refused(errno.ENOTSUP)))
    found.update(dict.fromkeys(_NOTHING_TO_DO.split(), refused(0)))
    found.update(_BY_ARGUMENTS)
    found.update(_WITH_CHILDREN if kind.children else _WITHOUT_CHILDREN)
    found.update(_WITH_NETWORK if kind.network else _WITHOUT_NETWORK)
    if kind.builds:
        found.update(dict.fromkeys(_OF_BUILDS.split(), ALLOWED))
    return found


AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The kernel's number for the calling convention of a machine; calls by any other, as of 32-bit
    programs, are refused."""


def machine() -> str:
    """The name of this machine among those that bots can be jailed on; "" if it is none."""
    name = platform.machine()
    return name if name in NUMBERS and struct.calcsize("P") == 8 else ""


@functools.cache
def program(kind: Kind) -> bytes:
    """The program to load, which every call of a bot of this kind passes through.

    Raises OSError on a machine whose calls have no table.
    """
    name = machine()
    if not name:
        raise OSError(errno.ENOSYS, f"no table of system calls for {platform.machine()}")
    return program_for(name, kind)


def program_for(name: str, kind: Kind) -> bytes:
    """The program for a kind of bots on a machine of NUMBERS."""
    numbers = NUMBERS[name]
    decided = {numbers[call]: it for call, it in decisions(kind).items() if call in numbers}
    # A call in the tables that nobody has judged is refused as those are that nobody knows.
    return compiled(AUDIT[name], decided, refused(errno.ENOSYS))


def counted(name: str) -> int:
    """The number of a machine's calls that a Python bot may make, if with some arguments only."""
    decided = decisions(Kind(network=False, children=False))
    passing = [call for call, it in decided.items() if it == ALLOWED or isinstance(it, Conditional)]
    return sum(call in NUMBERS[name] for call in passing)


def signal_calls() -> tuple[int, ...]:
    """The numbers of the calls that send a signal and name a process first."""
    numbers: Mapping[str, int] = NUMBERS.get(machine(), {})
    return tuple(numbers[name] for name in ("kill", "tgkill") if name in numbers)
