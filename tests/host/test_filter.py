"""The filter of system calls: what its program decides, number by number, and in the kernel."""

import errno
import re
import subprocess
from itertools import product
from pathlib import Path

import pytest
from helpers import need
from host.hosting import EASY, play_message
from host.jailing import need_level
from host.packet_filter import ENOSYS, ENOTSUP, EPERM, answer, instructions

from joute.host import Level
from joute.host.sandbox import system_calls
from joute.host.sandbox.call_numbers import KERNEL, NUMBERS, REVIEWED
from joute.host.sandbox.packet_filter import ALLOWED, Condition, Conditional, compiled, refused
from joute.host.sandbox.system_calls import Kind, decisions

MACHINES = sorted(NUMBERS)
KINDS = [Kind(network, children) for network, children in product([False, True], repeat=2)]
COMPUTING, FAMILY, TALKING = Kind(False, False), Kind(False, True), Kind(True, True)
X32 = 0x40000000
I386 = 0x40000003


def errno_of(machine, kind, call, *arguments):
    lines = instructions(system_calls.program_for(machine, kind))
    return answer(lines, system_calls.AUDIT[machine], NUMBERS[machine][call], arguments)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_number_is_decided_as_the_list_says_and_unknown_ones_do_not_exist(machine, kind):
    lines = instructions(system_calls.program_for(machine, kind))
    names = {number: name for name, number in NUMBERS[machine].items()}
    decided = decisions(kind)
    for number in range(1024):
        decision = decided[names[number]] if number in names else refused(errno.ENOSYS)
        for arguments in cases(decision):
            found = answer(lines, system_calls.AUDIT[machine], number, arguments)
            assert found == by_hand(decision, arguments), (names.get(number), arguments)
    for number in (-1, X32, X32 | 1, X32 | 512, 1 << 30):
        assert answer(lines, system_calls.AUDIT[machine], number) == ENOSYS
    for number in range(512):
        assert answer(lines, I386, number) == ENOSYS


def cases(decision):
    """Arguments on either side of every test of a decision."""
    yield ()
    if not isinstance(decision, Conditional):
        return
    for tests in decision.alternatives:
        tried = []
        for test in tests:
            others = {0, 1, test.mask, *(1 << bit for bit in range(32)), 0xFFFFFFFF}
            tried.append([*test.values, *sorted(others - set(test.values))])
        for place, values in enumerate(tried):
            for value in values:
                arguments = [0] * 6
                for test, usual in zip(tests, tried, strict=True):
                    arguments[test.argument] = usual[0]
                arguments[tests[place].argument] = value << 32 * tests[place].upper
                yield tuple(arguments)
                yield tuple(each | 1 << 40 for each in arguments)


def by_hand(decision, arguments):
    if not isinstance(decision, Conditional):
        return None if decision == ALLOWED else decision & 0xFFFF
    padded = [*arguments, 0, 0, 0, 0, 0, 0]
    for tests in decision.alternatives:
        words = [padded[t.argument] >> 32 * t.upper & 0xFFFFFFFF & t.mask for t in tests]
        if all(word in test.values for word, test in zip(words, tests, strict=True)):
            return None
    return decision.otherwise & 0xFFFF


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_nothing_is_changed_about_the_signal_of_a_childs_end(machine, kind):
    def answered(*arguments):
        return errno_of(machine, kind, "rt_sigaction", *arguments)

    somewhere = 0x7FFC12345678
    assert [answered(17, act) for act in (somewhere, 1, 1 << 32, 1 << 63)] == [0, 0, 0, 0]
    assert answered(17 | 1 << 32, somewhere) == 0
    assert answered(17, 0, somewhere) is None  # which asks only
    assert [answered(number, somewhere) for number in (1, 2, 16, 18, 64)] == 5 * [None]


def test_every_known_call_is_judged_and_every_judgment_is_about_a_known_call():
    known = set().union(*NUMBERS.values())
    for kind in KINDS:
        assert set(decisions(kind)) == known


def test_no_call_is_judged_twice():
    lists = [*system_calls._ALLOWED.values(), *system_calls._REFUSED.values()]
    lists += [" ".join(system_calls._ABSENT), system_calls._ATTRIBUTES]
    lists.append(system_calls._NOTHING_TO_DO)
    tables = [*system_calls._BY_ARGUMENTS, *system_calls._WITH_CHILDREN]
    names = [*" ".join(lists).split(), *tables, *system_calls._WITH_NETWORK]
    assert sorted(names) == sorted(set(names))
    assert system_calls._WITH_CHILDREN.keys() == system_calls._WITHOUT_CHILDREN.keys()


def test_the_sheet_names_every_group_and_the_day_of_the_review():
    sheet = (Path(__file__).parents[2] / "docs" / "en" / "isolation.md").read_text(encoding="utf-8")
    for group in (*system_calls._ALLOWED, *system_calls._REFUSED):
        assert f"\n| {group} |" in sheet
    assert f"\nreviewed on {REVIEWED}, up to Linux {KERNEL}." in sheet


HEADERS = {
    "x86_64": "#include <asm/unistd_64.h>",
    "aarch64": "#define __BITS_PER_LONG 64\n#define __ARCH_WANT_RENAMEAT\n"
    "#define __ARCH_WANT_NEW_STAT\n#define __ARCH_WANT_SET_GET_RLIMIT\n"
    "#define __ARCH_WANT_SYS_CLONE3\n#define __ARCH_WANT_MEMFD_SECRET\n"
    "#include <asm-generic/unistd.h>",
}


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_systems_headers(machine):
    words = [need("gcc"), "-E", "-dM", "-"]
    done = subprocess.run(words, input=HEADERS[machine], capture_output=True, text=True)
    if done.returncode and "unistd_64.h" in done.stderr:
        pytest.skip("the headers of another machine")
    assert done.returncode == 0, done.stderr
    defined = re.findall(r"^#define __NR_(\w+) (\w+)$", done.stdout, re.MULTILINE)
    by_size = dict(re.findall(r"^#define (__NR3264_\w+) (\d+)$", done.stdout, re.MULTILINE))
    numbers = {name: int(by_size.get(number, number)) for name, number in defined}
    for name in ("syscalls", "arch_specific_syscall"):
        numbers.pop(name, None)
    ours = NUMBERS[machine]
    known = {name: number for name, number in numbers.items() if number < 470}
    assert len(known) > 250
    assert {name: ours.get(name) for name in known} == known


PASSING = [
    (COMPUTING, "openat", (-100, 0, 0x80000)),
    (COMPUTING, "openat", (-100, 0, 0x241)),
    (COMPUTING, "mmap", (0, 4096, 3, 0x22)),
    (COMPUTING, "mmap", (0, 4096, 1, 0x1, 5)),
    (COMPUTING, "clone", (0x3D0F00,)),  # as pthread_create has it
    (COMPUTING, "futex", (0, 0x189)),
    (COMPUTING, "futex", (0, 0x81)),
    (COMPUTING, "futex", (0, 0x109)),
    (COMPUTING, "futex", (0, 0x85)),
    (COMPUTING, "getsid", (0,)),
    (COMPUTING, "prctl", (15, 0)),
    (COMPUTING, "ioctl", (1, 0x5401)),
    (COMPUTING, "fcntl", (1, 1030, 200)),
    (COMPUTING, "socketpair", (1, 0x80801, 0)),
    (COMPUTING, "sched_getaffinity", (0,)),
    (COMPUTING, "preadv2", (3, 0, 1, 0, 0, 0)),
    (FAMILY, "clone", (0x1200011,)),
    (FAMILY, "clone", (0x4111,)),  # as posix_spawn has it
    (FAMILY, "futex", (0, 1)),
    (FAMILY, "kill", (5, 15)),
    (FAMILY, "tgkill", (5, 5, 33)),
    (TALKING, "socket", (2, 0x80001, 0)),
    (TALKING, "socket", (2, 0x801, 6)),
    (TALKING, "setsockopt", (3, 6, 1)),
    (TALKING, "setsockopt", (3, 1, 20)),
    (TALKING, "connect", (3,)),
]
STOPPED = [
    (COMPUTING, "openat", (-100, 0, 0x200)),
    (COMPUTING, "openat", (-100, 0, 0x240)),  # made if it is not there, else emptied
    (COMPUTING, "mmap", (0, 4096, 3, 0x21)),
    (COMPUTING, "mmap", (0, 4096, 3, 0x23)),
    (COMPUTING, "mmap", (0, 4096, 3, 0x122)),
    (COMPUTING, "mmap", (0, 4096, 3, 0x40022)),
    (COMPUTING, "mmap", (0, 4096, 3, 0x28)),
    (COMPUTING, "clone", (0x1200011,)),
    (COMPUTING, "futex", (0, 1)),
    (COMPUTING, "futex", (0, 3)),
    (COMPUTING, "futex", (0, 0x86)),
    *((FAMILY, "futex", (0, locking)) for locking in (2, 6, 7, 8, 11, 12, 13, 0x86)),
    (FAMILY, "getpgid", (1,)),
    (FAMILY, "getsid", (1,)),
    (FAMILY, "getpriority", (0, 1)),
    (FAMILY, "getpriority", (2, 0)),
    (FAMILY, "capget", (0, 0)),
    (COMPUTING, "preadv2", (3, 0, 1, 0, 0, 8)),
    (COMPUTING, "madvise", (0, 4096, 12)),
    (COMPUTING, "madvise", (0, 4096, 21)),
    (COMPUTING, "socketpair", (1, 2, 0)),
    (COMPUTING, "socket", (2, 1, 0)),
    (COMPUTING, "sendmsg", (3, 0, 0)),
    (COMPUTING, "setsockopt", (3, 1, 20)),
    (COMPUTING, "fchmodat2", (-100, 0, 0o777)),
    (COMPUTING, "timer_create", (1, 0, 0)),
    (COMPUTING, "io_setup", (1, 0)),
    (COMPUTING, "sched_setscheduler", (0, 5, 0)),
    (COMPUTING, "setpriority", (0, 0, 19)),
    (COMPUTING, "prlimit64", (1, 7, 0)),
    *((FAMILY, "clone", (1 << bit | 17,)) for bit in (15, 17, *range(25, 31))),
    (FAMILY, "clone", (18,)),  # whose end would continue its parent
    (FAMILY, "kill", (0, 18)),
    (FAMILY, "tgkill", (5, 5, 18)),
    *((FAMILY, "prctl", (operation,)) for operation in (1, 4, 22, 29, 36, 53, 59, 62, 65, 67, 78)),
    *(
        (FAMILY, "fcntl", (3, word))
        for word in (5, 6, 7, 8, 10, 15, 36, 37, 1024, 1026, 1031, 1033)
    ),
    *((FAMILY, "ioctl", (0, word)) for word in (0x5412, 0x541C, 0x40086602, 0x8901, 0x40049409)),
    (TALKING, "socket", (2, 1, 262)),  # of several paths
    (TALKING, "socket", (2, 2, 0)),
    (TALKING, "socket", (10, 1, 0)),
    (TALKING, "sendto", (3, 0, 1, 0x20000000)),
    (TALKING, "sendmsg", (3, 0, 0x20000000)),
    (TALKING, "sendmmsg", (3, 0, 1, 0x20000000)),
    *((TALKING, "setsockopt", (3, 1, name)) for name in (7, 8, 26, 32, 33, 50)),
    (TALKING, "setsockopt", (3, 6, 13)),
    (TALKING, "bind", (3,)),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("kind", "call", "arguments"), PASSING)
def test_what_programs_do_passes(machine, kind, call, arguments):
    assert errno_of(machine, kind, call, *arguments) is None


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("kind", "call", "arguments"), STOPPED)
def test_what_would_reach_others_is_refused(machine, kind, call, arguments):
    assert errno_of(machine, kind, call, *arguments) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_some_calls_are_answered_so_that_libraries_go_on(machine):
    assert errno_of(machine, COMPUTING, "clone3") == ENOSYS
    assert errno_of(machine, COMPUTING, "openat2") == ENOSYS
    assert errno_of(machine, COMPUTING, "sched_getaffinity", 5) == ENOSYS  # pthread_getattr_np
    assert errno_of(machine, COMPUTING, "fgetxattr") == ENOTSUP
    assert errno_of(machine, COMPUTING, "fsync") == 0


def test_a_program_whose_jumps_are_too_far_is_not_made():
    wide = Conditional((tuple(Condition(0, (n, n + 1)) for n in range(200)),), refused(1))
    with pytest.raises(ValueError, match="a jump of 2"):
        compiled(1, {0: wide}, refused(1))


def test_a_machine_without_a_table_has_no_filter(monkeypatch):
    monkeypatch.setattr(system_calls.platform, "machine", lambda: "riscv64")
    assert system_calls.machine() == ""
    assert system_calls.signal_calls() == ()
    with pytest.raises(OSError, match="no table of system calls for riscv64"):
        system_calls.program.__wrapped__(Kind(False, False))


CALLING = """
import ctypes, json
library = ctypes.CDLL(None, use_errno=True)
def play(observation, clock):
    found = {}
    for number in observation["numbers"]:
        ctypes.set_errno(0)
        result = library.syscall(ctypes.c_long(number), *(ctypes.c_long(0),) * 6)
        found[number] = ctypes.get_errno() if result == -1 else None
    return {"action": 0, "message": " ".join(f"{n}:{e}" for n, e in found.items())}
"""


def test_the_kernel_refuses_every_number_that_the_program_refuses(hosts):
    need_level(Level.KERNEL)
    machine = system_calls.machine()
    lines = instructions(system_calls.program(Kind(False, False)))
    numbers = [*range(1024), X32, X32 + 59, 1 << 30]
    expected = {n: answer(lines, system_calls.AUDIT[machine], n) for n in numbers}
    # Of those that pass, or do nothing, some would end the bot; as does the one of the kernel's own
    # probes, which no filter sees.
    probes = (335, 336) if machine == "x86_64" else ()
    expected = {n: error for n, error in expected.items() if error and n not in probes}
    bot = hosts.source(CALLING, EASY)
    said = ""
    tried = sorted(expected)
    for at in range(0, len(tried), 300):
        answered = bot.ask(play_message(numbers=tried[at : at + 300]))
        assert answered.fault is None, answered
        said += " " + answered.message
    assert said.split() == [f"{number}:{expected[number]}" for number in tried]


def test_the_filter_is_applied_to_programs_of_32_bits_too(hosts):
    need_level(Level.KERNEL)
    if system_calls.machine() != "x86_64":
        pytest.skip("no such programs on this machine")
    answered = hosts.source(OLD_CALL, EASY).ask(play_message())
    assert answered.message == f"{-errno.ENOSYS}"


OLD_CALL = """
import ctypes, mmap
def play(observation, clock):
    # mov eax, 20 (getpid); int 0x80; cdqe; ret
    code = bytes.fromhex("b814000000cd804898c3")
    area = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
    area.write(code)
    run = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(area)))
    return {"action": 0, "message": str(run())}
"""
