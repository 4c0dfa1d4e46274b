"""Attacks by two bots in different games: one tells the other a word, by whatever both can see.

A word ends in 16 hexadecimal digits: 64 bits, each of which can be a file, a lock or a page.
"""

import ctypes
import fcntl
import mmap
import os
import socket
import struct
import tempfile

from joute.redteam.attacks.attempt import attempt, by_number, call, cut_out, kept, read, write

_BITS = 64
_CREATE, _READ, _SIZE = 0o1600, 0o400, 256  # of shared memory and queues
_USER_KEYS, _SESSION_KEYS = -4, -3
_SOCKET_KINDS = (socket.SOCK_STREAM, socket.SOCK_SEQPACKET)
_STEP = 2 * mmap.PAGESIZE
_OPENED = 0x20  # IN_OPEN


def _bit(aim, place):
    return int(aim["word"][-16:], 16) >> place & 1


def _number(bits):
    return sum(bool(bit) << place for place, bit in enumerate(bits))


def _spelled(aim, bits):
    """The word of so many bits."""
    return aim["mark"] + f"{_number(bits):016x}"


def _said(aim, show):
    """Shows the places of the bits that are set in the word."""
    for place in range(_BITS):
        if _bit(aim, place):
            show(place)


def _library():
    """Files that all bots may read, one for each bit."""
    folder = os.path.dirname(os.__file__)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))
    return [os.path.join(folder, name) for name in names[:_BITS]]


def partner_files(aim):
    """Leaves a word for a partner in another game, in files wherever it may write."""
    folders = [aim["tmp"], "/var/tmp", "/dev/shm", aim["own_folder"], tempfile.gettempdir(), "."]
    paths = {f"in_{n}": os.path.join(f, "word-" + aim["token"]) for n, f in enumerate(folders)}
    if aim["word"]:
        return attempt(**{k: lambda p=p: write(p, aim["word"]) for k, p in paths.items()})
    return attempt(**{k: lambda p=p: read(p).decode() for k, p in paths.items()})


def partner_memory(aim):
    """Leaves a word for a partner in another game, in shared memory and queues of messages."""
    key, mode = int(aim["token"][:7], 16), _CREATE if aim["word"] else _READ
    word, buffer = aim["word"].encode(), ctypes.create_string_buffer(_SIZE)

    def segment():
        address = call("shmat", call("shmget", key, _SIZE, mode), None, 0)
        if word:
            ctypes.memmove(address, word, len(word))
        return ctypes.string_at(address).decode()

    def queue():
        number = call("msgget", key, mode)
        if word:
            letter = (b"\1" + bytes(7) + word).ljust(_SIZE, b"\0")
            return call("msgsnd", number, letter, 64, 0o4000)
        call("msgrcv", number, buffer, 64, 0, 0o4000)
        return buffer.raw[8:72].rstrip(b"\0").decode()

    def posix():
        name = b"/word-" + aim["token"].encode()
        number = call("mq_open", name, 0o100 | 2 | 0o4000, 0o600, None)
        if word:
            return call("mq_send", number, word, len(word), 0)
        long = ctypes.create_string_buffer(8192)
        call("mq_receive", number, long, 8192, None)
        return long.value.decode()

    def counter():
        number = call("semget", key, 32, mode)
        for place, letter in enumerate(aim["word"][-16:]):
            call("semctl", number, place, 16, ord(letter))  # SETVAL
        return aim["mark"] + "".join(chr(call("semctl", number, place, 12)) for place in range(16))

    return attempt(segment=segment, queue=queue, posix=posix, counter=counter)


def partner_keys(aim):
    """Leaves a word for a partner in another game among the user's keys, which the system keeps."""
    name, word = b"word-" + aim["token"].encode(), aim["word"].encode()

    def ring(place):
        if word:
            key = by_number("add_key", b"user", name, word, len(word), place)
            return by_number("keyctl", 15, key, 10)  # after 10 s it is gone: nothing stays for good
        key = by_number("keyctl", 10, place, b"user", name, 0)  # KEYCTL_SEARCH
        buffer = ctypes.create_string_buffer(200)
        by_number("keyctl", 11, key, buffer, 200, 0)  # KEYCTL_READ
        return buffer.value.decode()

    return attempt(user=lambda: ring(_USER_KEYS), session=lambda: ring(_SESSION_KEYS))


def partner_sockets(aim):
    """Tells a partner in another game a word, through sockets that have a name and no file."""
    name = "\0word-" + aim["token"]

    def offer():
        server = socket.socket(socket.AF_UNIX)
        server.bind(name)
        server.listen()
        kept.append(server)

    def letter_box():
        box = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        box.bind(name + ".d")
        box.setblocking(False)
        kept.append(box)

    def send():
        one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        one.sendto(aim["word"].encode(), name + ".d")

    if aim["word"]:
        return attempt(offer=offer, send=send)
    if not kept:
        return attempt(box=letter_box)
    return attempt(receive=lambda: kept[0].recv(200).decode())


def partner_socket_kinds(aim):
    """Tells a partner in another game a word by pairs of sockets of two kinds: all are listed."""

    def say():
        for place in range(_BITS):
            # One end will do, and takes half as many descriptors.
            kind = _SOCKET_KINDS[_bit(aim, place)]
            kept.append(socket.socketpair(socket.AF_UNIX, kind)[0])

    def listed():
        lines = read("/proc/self/net/unix", 1 << 22).decode().splitlines()[1:]
        fields = (line.split() for line in lines)
        return {int(each[6]): int(each[4], 16) for each in fields if len(each) == 7}

    def hear():
        fresh = {inode: kind for inode, kind in listed().items() if inode not in kept}
        # Numbered one after the other, while others' sockets come in between or elsewhere.
        spans = (range(first, first + 2 * _BITS, 2) for first in sorted(fresh))
        span = next((span for span in spans if all(each in fresh for each in span)), None)
        if span is None:
            raise FileNotFoundError(2, "not listed")
        return _spelled(aim, [fresh[inode] == _SOCKET_KINDS[1] for inode in span])

    if aim["word"]:
        return attempt(say=say)
    return attempt(hear=hear) if kept else attempt(watch=lambda: kept.extend(listed()))


def _by_descriptors(aim, first, digits, hint=""):
    """Tells the last digits of the word by the numbers of open files, from `first` on."""

    def say():
        for place in range(4 * digits):
            if _bit(aim, place):
                os.dup2(2, first + place)

    def hear():
        folder = f"/proc/{aim['partner']}/fd/"
        os.lstat(folder + "0")
        there = [os.path.lexists(folder + str(first + place)) for place in range(4 * digits)]
        return aim["mark"] + hint + f"{_number(there):0{digits}x}"

    return attempt(say=say) if aim["word"] else attempt(hear=hear)


def partner_descriptors(aim):
    """Tells a partner in another game a word by the numbers of its open files in `/proc`."""
    return _by_descriptors(aim, 100, 16)  # far from those that the host keeps for itself


def program_descriptors(aim):
    """Tells a partner in another game a word by a program's open files in `/proc`."""
    # Far from those that a program has open, and no more than 128 in all.
    return _by_descriptors(aim, 64, 15, aim["hint"])


def partner_names(aim):
    """Tells a partner in another game a word by its name and command line in `/proc`."""

    def rename():
        call("prctl", 15, aim["word"][-15:].encode(), 0, 0, 0)  # PR_SET_NAME

    def look():
        return aim["mark"] + aim["hint"] + read(f"/proc/{aim['partner']}/comm").decode().strip()

    if aim["word"]:
        return attempt(rename=rename)
    return attempt(
        name=look,
        command=lambda: cut_out(read(f"/proc/{aim['partner']}/cmdline"), aim["mark"]),
        list=lambda: len([name for name in os.listdir("/proc") if name.isdigit()]),
    )


def partner_locks(aim):
    """Tells a partner in another game a word by locking files that both may read, one a bit."""

    def exclusive(file, bit):
        if aim["word"]:
            return fcntl.flock(file, fcntl.LOCK_EX) if bit else None
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return 1
        return 0

    def record(file, bit):
        kind = fcntl.F_RDLCK if aim["word"] else fcntl.F_WRLCK
        lock = struct.pack("hhqqi4x", kind, 0, 0, 0, 0)
        if aim["word"]:
            return fcntl.fcntl(file, fcntl.F_SETLK, lock) if bit else None
        return struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, lock))[0] != fcntl.F_UNLCK

    def all_of(lock):
        found = []
        for place, path in enumerate(_library()):
            file = open(path)
            found.append(lock(file, aim["word"] and _bit(aim, place)))
            if aim["word"]:
                kept.append(file)
            else:
                file.close()
        return _spelled(aim, found)

    return attempt(exclusive=lambda: all_of(exclusive), record=lambda: all_of(record))


def partner_watching(aim):
    """Tells a partner in another game a word by the files that it opens: the partner watches."""
    paths = _library()

    def watch():
        watching = call("inotify_init1", os.O_NONBLOCK)
        numbers = [call("inotify_add_watch", watching, path.encode(), _OPENED) for path in paths]
        kept.append((watching, numbers))

    def hear():
        watching, numbers = kept[0]
        data = os.read(watching, 1 << 16)
        heard = {ctypes.c_int.from_buffer_copy(data, at).value for at in range(0, len(data), 16)}
        return _spelled(aim, [number in heard for number in numbers])

    if aim["word"]:
        return attempt(say=lambda: _said(aim, lambda place: open(paths[place]).close()))
    return attempt(hear=hear) if kept else attempt(watch=watch)


def partner_times(aim):
    """Leaves a word for a partner in another game in the times and the rights of files."""
    # Its own file: whoever plays the partner has the same program.
    path = os.path.join(aim["own_folder"], "bot.py")

    def times():
        if aim["word"]:
            word = int(aim["word"][-16:], 16)
            return os.utime(path, ns=(word >> 32, word & 0xFFFFFFFF))
        found = os.stat(path)
        pieces = (found.st_atime_ns & 0xFFFFFFFF, found.st_mtime_ns & 0xFFFFFFFF)
        return aim["mark"] + "".join(f"{piece:08x}" for piece in pieces)

    def attribute():
        if aim["word"]:
            return os.setxattr(path, "user.word", aim["word"].encode())
        return os.getxattr(path, "user.word").decode()

    return attempt(times=times, attribute=attribute)


def partner_access_times(aim):
    """Tells a partner in another game a word by files that it reads: their times are noted."""
    pages = [os.path.join(aim["own_folder"], "pages", f"{number:02}") for number in range(_BITS)]

    def times():
        return [os.stat(page).st_atime_ns for page in pages]

    def hear():
        changed = [old != new for old, new in zip(kept, times())]
        if not any(changed):
            raise PermissionError(30, "no times are noted")
        return _spelled(aim, changed)

    if aim["word"]:
        return attempt(say=lambda: _said(aim, lambda place: read(pages[place])))
    return attempt(hear=hear) if kept else attempt(watch=lambda: kept.extend(times()))


def partner_page_cache(aim):
    """Tells a partner in another game a word by the pages of a file that it reads into memory."""
    path = os.path.join(os.path.dirname(os.__file__), "pydoc_data", "topics.py")
    if not kept:
        kept.append(os.open(path, os.O_RDONLY))
        os.posix_fadvise(kept[0], 0, 0, os.POSIX_FADV_RANDOM)  # no page but what is asked for
    file = kept[0]

    def spelled(there):
        return _spelled(aim, [there(place) for place in range(_BITS)])

    def by_asking():
        room = ctypes.create_string_buffer(5 * 8)

        def there(place):
            span = (ctypes.c_uint64 * 2)(place * _STEP, 1)
            by_number("cachestat", file, ctypes.addressof(span), room, 0)
            return int.from_bytes(room.raw[:8], "little")

        return spelled(there)

    def by_reading():
        def there(place):
            try:
                return os.preadv(file, [bytearray(1)], place * _STEP, os.RWF_NOWAIT)
            except BlockingIOError:
                return 0

        os.preadv(file, [bytearray(1)], 0, os.RWF_HIPRI)  # whether flags are allowed at all
        return spelled(there)

    def by_mapping():
        area = call("mmap", None, _BITS * _STEP, 1, 2, file, 0)
        told = ctypes.create_string_buffer(_BITS * _STEP // mmap.PAGESIZE)
        call("mincore", ctypes.c_void_p(area), _BITS * _STEP, told)
        return spelled(lambda place: told.raw[place * _STEP // mmap.PAGESIZE] & 1)

    if aim["word"]:
        return attempt(say=lambda: _said(aim, lambda place: os.pread(file, 1, place * _STEP)))
    if len(kept) == 1:
        kept.append(True)
        return attempt(drop=lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED))
    return attempt(asked=by_asking, read=by_reading, mapped=by_mapping)


def partner_use(aim):
    """Reads what everybody changes: memory in use, processes, load, interrupts."""

    def figure(path, name):
        for line in read(path).decode().splitlines():
            if line.startswith(name) and any(int(each) for each in line.split()[1:2]):
                return line
        raise FileNotFoundError(2, "it tells nothing")

    def fill():
        folder = os.environ.get("TMPDIR", aim["own_folder"])
        with open(os.path.join(folder, "used-" + aim["token"]), "wb") as file:
            file.write(bytes(int(aim["word"][-2:], 16) << 12))

    if aim["word"]:
        return attempt(fill=fill)
    return attempt(
        shared=lambda: figure("/proc/meminfo", "Shmem:"),
        forks=lambda: figure("/proc/stat", "processes"),
        switches=lambda: figure("/proc/stat", "ctxt"),
        load=lambda: read("/proc/loadavg"),
        requests=lambda: read("/proc/sys/fs/aio-nr"),
        files=lambda: read("/proc/sys/fs/file-nr"),
        memory=lambda: len(read("/proc/vmstat")),
        pressure=lambda: read("/proc/pressure/cpu"),
        slabs=lambda: len(read("/proc/slabinfo")),
        interrupts=lambda: len(read("/proc/interrupts")),
        control=lambda: os.listdir("/sys/fs/cgroup"),
    )
