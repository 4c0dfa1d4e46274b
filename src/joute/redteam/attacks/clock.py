"""Attacks on time: bots that never answer, think on the opponent's time, or hide their own."""

import ctypes
import hashlib
import os
import signal
import sys
import threading
import time

from joute.redteam.attacks.attempt import (
    attempt,
    burn,
    by_number,
    child,
    kept,
    linger,
    packed,
    writer,
)

_SIBLING = 0x8000  # CLONE_PARENT


def silence(aim):
    """Never answers, and does nothing at all."""
    linger(60)


def spinning(aim):
    """Never answers, and computes on several threads outside the interpreter's lock."""

    def spin():
        while True:
            hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000)

    for number in range(2):
        threading.Thread(target=spin, daemon=True).start()
    spin()


def deaf_to_signals(aim):
    """Ignores every signal that can be ignored, and stops and continues itself in turn."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)


def closed_channel(aim):
    """Closes its channel to the referee and stays, so that somebody waits for its end."""
    os.closerange(0, 256)
    linger(60)


class long_goodbye:
    """Does not leave when the game is over."""

    def play(self, observation, clock):
        return 0

    def end(self, returns):
        while True:
            linger(60)


def clock_forged(aim):
    """Changes the clocks of its own interpreter, and the time that the host reports there."""
    true = time.thread_time
    end = true() + 4 * aim["clock"].seconds
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, name, lambda: 0.0)
    for name, module in list(sys.modules.items()):
        if name.startswith("joute_child"):
            for word in ("seconds", "limit", "cpu", "confine"):
                setattr(module, word, lambda *_: 0.0)
    while true() < end:
        sum(range(2000))


def host_replaced(aim):
    """Changes the host's modules inside its own process, so that they say what it likes."""
    channel, line, clock = sys.modules["joute_child.channel"], writer(), aim["clock"]

    def send(self, message):
        os.write(line, b'{"type":"action","action":0,"cpu_ms":0,"isolation":"full","fault":null}\n')

    channel.Channel.send = send
    sys.modules["joute_child.errors"].IllegalAnswer = Exception
    end = clock.left() - 4 * clock.seconds
    while clock.left() > end:
        sum(range(2000))


def think_in_child(aim):
    """Thinks on the opponent's time, in a child out of reach of the signal that stops the bot."""
    return attempt(child=lambda: child(lambda: burn(5)))


def program_thinking(aim):
    """Thinks on the opponent's time in a child, which a program may have."""
    return think_in_child(aim)


def think_in_thread(aim):
    """Thinks on the opponent's time, in threads that it started during its own turn."""
    for number in range(2):
        threading.Thread(target=burn, args=(5,), daemon=True).start()


def wake_itself(aim):
    """Has itself continued while it is stopped: by a child that wakes it."""
    me, turn = os.getpid(), len(kept)
    kept.append(turn)

    def think():
        linger(0.03)
        while len(kept) == turn + 1:
            burn(0.005)

    def wake():
        for number in range(500):
            linger(0.01)
            os.kill(me, signal.SIGCONT)

    threading.Thread(target=think, daemon=True).start()
    return attempt(child=lambda: child(wake))


def program_waking(aim):
    """Has itself continued while it is stopped, by a child, which a program may have."""
    return wake_itself(aim)


def wake_by_timer(aim):
    """Has itself continued while it is stopped: by a timer of the kernel's that sends SIGCONT."""
    if kept:
        return attempt()
    kept.append(aim)
    signal.signal(signal.SIGCONT, lambda *_: None)

    def think():
        while True:
            burn(0.005)

    def timer(which):
        made = ctypes.c_int()
        event = packed("Qii48x", 0, signal.SIGCONT, 0)
        by_number("timer_create", which, event, ctypes.byref(made))
        times = packed("qqqq", 0, 2_000_000, 0, 2_000_000)
        by_number("timer_settime", made.value, 0, times, None)

    answer = attempt(real=lambda: timer(0), monotonic=lambda: timer(1), boot=lambda: timer(7))
    threading.Thread(target=think, daemon=True).start()
    return answer


def _continue(number):
    while True:
        os.kill(number, signal.SIGCONT)


def continue_itself(aim):
    """Thinks on the opponent's time: a thread continues its own process again and again."""
    me = os.getpid()
    os.kill(me, 0)

    def think():
        os.kill(me, signal.SIGCONT)
        if not kept:
            kept.append(threading.Thread(target=_continue, args=(me,), daemon=True))
            kept[0].start()

    return attempt(think=think)


def burn_when_done(aim):
    """Goes on computing after its last turn, when it is never asked again and pays for nothing."""

    def own_group():
        os.kill(0, signal.SIGCONT)
        threading.Thread(target=_continue, args=(0,), daemon=True).start()

    def own_thread():
        signal.pthread_kill(threading.get_ident(), signal.SIGCONT)

    return attempt(group=own_group, thread=own_thread)


def burn_in_child(aim):
    """Computes in a child that goes on living, whose time its own clock does not show."""

    def started():
        ready, told = os.pipe()
        if os.fork() == 0:
            burn(0.2)
            os.write(told, b".")
            linger(20)
            os._exit(0)
        os.read(ready, 1)

    return attempt(child=started)


def program_burning(aim):
    """Computes in a child that goes on living, which a program may have."""
    return burn_in_child(aim)


def program_uncollected(aim):
    """Computes in children that end uncollected, so that their time is added nowhere."""

    def children():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(15):
            number = os.fork()
            if number == 0:
                burn(0.015)
                os._exit(0)
            try:
                os.waitpid(number, 0)
            except ChildProcessError:
                pass  # it has ended, and nobody has collected it

    return attempt(children=children)


def program_orphaned(aim):
    """Computes in grandchildren whose parent has ended, so that others collect their time."""

    def grandchildren():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(15):
            done, told = os.pipe()
            if os.fork() == 0:
                if os.fork() == 0:
                    linger(0.002)  # until its parent has ended
                    burn(0.015)
                os._exit(0)
            os.close(told)
            os.read(done, 1)  # at its end all have ended
            os.close(done)

    return attempt(grandchildren=grandchildren)


def program_sibling(aim):
    """Computes in a child of its own parent, where nobody looks for its children's time."""

    def sibling():
        done, told = os.pipe()
        if by_number("clone", _SIBLING | signal.SIGCHLD, 0, 0, 0, 0) == 0:
            burn(0.2)
            os._exit(0)
        os.close(told)
        os.read(done, 1)

    return attempt(sibling=sibling)


def _napping(first=lambda: None):
    """Waits for longer than a turn beside threads that sleep again and again."""

    def nap():
        first()
        while True:
            time.sleep(0.001)

    for _ in range(5):
        threading.Thread(target=nap, daemon=True).start()
    linger(2.6)


def idle_class(aim):
    """Blames the machine: threads of the lowest scheduling class sleep, and seem to wait for it."""

    def lowest():
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    answer = attempt(lowest=lowest, nicest=lambda: os.setpriority(os.PRIO_PROCESS, 0, 19))
    _napping(lowest)
    return answer


def sleep_in_threads(aim):
    """Blames the machine: many threads sleep by turns, so that one always waits for a core."""
    _napping()
    return attempt()
