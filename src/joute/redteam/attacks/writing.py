"""Attacks that write where they may not, or change what is told of other people's files."""

import ctypes
import fcntl
import os
import struct
import tempfile

from joute.redteam.attacks.attempt import attempt, by_number, kept, packed, write

_HERE, _FOLLOW, _EMPTY = -100, 0x400, 0x1000
_SET_FLAGS, _SET_MORE, _NOT_DUMPED = 0x40086602, 0x401C5820, 0x40


def write_own_folder(aim):
    """Leaves a file in its own folder, and changes its own program for the games to come."""

    def itself():
        with open(os.path.join(aim["own_folder"], "bot.py"), "a") as file:
            file.write("# " + aim["token"])

    return attempt(
        file=lambda: write(os.path.join(aim["own_folder"], "mine-" + aim["token"])),
        here=lambda: write("also-" + aim["token"]),
        itself=itself,
    )


def write_other_folder(aim):
    """Puts a file into another bot's folder and into the contest's."""
    name = "mine-" + aim["token"]
    return attempt(
        other=lambda: write(os.path.join(aim["other_folder"], name)),
        contest=lambda: write(os.path.join(os.path.dirname(aim["database"]), name)),
        folder=lambda: os.mkdir(os.path.join(aim["other_folder"], name + ".d")),
        link=lambda: os.symlink("/", os.path.join(aim["other_folder"], name + ".l")),
        pipe=lambda: os.mkfifo(os.path.join(aim["other_folder"], name + ".p")),
    )


def write_temporary(aim):
    """Leaves files where everybody may write: in the folders for temporary files and memory."""
    name = "mine-" + aim["token"]
    return attempt(
        tmp=lambda: write(os.path.join(aim["tmp"], name)),
        var=lambda: write(os.path.join("/var/tmp", name)),
        memory=lambda: write(os.path.join("/dev/shm", name)),
        own=lambda: write(os.path.join(tempfile.gettempdir(), name)),
        home=lambda: write(os.path.join(os.path.expanduser("~"), name)),
    )


def write_home(aim):
    """Writes into the home, Joute's own sources, its compiled kernels, and the system's folders.

    A file without a name proves the right to write and leaves nothing behind.
    """

    def hold(folder):
        kept.append(os.open(folder, os.O_TMPFILE | os.O_WRONLY))

    return attempt(
        home=lambda: hold(aim["home"]),
        package=lambda: hold(aim["package"]),
        child=lambda: hold(os.path.join(aim["package"], "host", "child")),
        cache=lambda: hold(aim["cache"]),
        libraries=lambda: hold(os.path.dirname(os.__file__)),
        settings=lambda: hold("/etc"),
        programs=lambda: hold("/usr/local"),
    )


def write_proc(aim):
    """Writes settings of the kernel: who is killed first when memory is short, and others."""

    def put(path, text):
        descriptor = os.open(path, os.O_WRONLY)
        try:
            return os.write(descriptor, text)
        finally:
            os.close(descriptor)

    return attempt(
        spared=lambda: put("/proc/self/oom_score_adj", b"7"),
        thread=lambda: put(f"/proc/self/task/{os.getpid()}/oom_score_adj", b"7"),
        filtered=lambda: put("/proc/self/coredump_filter", b"0"),
        decoy=lambda: put(f"/proc/{aim['decoy']}/oom_score_adj", b"7"),
        everybodys=lambda: os.close(os.open("/proc/sys/kernel/hostname", os.O_WRONLY)),
        devices=lambda: os.close(os.open("/sys/kernel/mm/ksm/run", os.O_WRONLY)),
        table=lambda: os.close(os.open("/proc/self/uid_map", os.O_WRONLY)),
    )


def damage_other_bot(aim):
    """Spoils another bot's file: empties it, renames it, removes it, takes away its rights."""
    path = aim["other_bot"]
    return attempt(
        empty=lambda: os.truncate(path, 0),
        append=lambda: os.open(path, os.O_WRONLY | os.O_APPEND),
        rename=lambda: os.rename(path, path + ".old"),
        link=lambda: os.link(path, os.path.join(aim["own_folder"], "mine-" + aim["token"])),
        remove=lambda: os.unlink(aim["other_file"]),
    )


def damage_rights(aim):
    """Changes the metadata of another bot's file: its rights, its times, its attributes.

    Landlock guards the content of a file, not its metadata.
    """
    path = aim["other_bot"]
    return attempt(
        times=lambda: os.utime(path, (1, 1)),
        rights=lambda: os.chmod(path, 0),
        rights_of_folder=lambda: os.chmod(aim["other_folder"], 0),
        attribute=lambda: os.setxattr(path, "user.mine", b"here"),
        owner=lambda: os.chown(path, 65533, 65533),
    )


def damage_by_opening(aim):
    """Empties another bot's file by opening it in ways that seem to be for reading."""
    path = aim["other_bot"]
    name, notes, flags = path.encode(), aim["notes"].encode(), struct.pack("=QQQ", 0o1000, 0, 0)

    def again():
        with open(f"/proc/self/fd/{os.open(path, os.O_PATH)}", "w"):
            pass

    return attempt(
        read_only=lambda: os.open(path, os.O_RDONLY | os.O_TRUNC),
        made=lambda: os.open(path, os.O_RDONLY | os.O_TRUNC | os.O_CREAT, 0o600),
        neither=lambda: os.open(path, 3 | os.O_TRUNC),
        created=lambda: by_number("creat", name, 0o600),
        cut=lambda: os.truncate(path, 0),
        newer=lambda: by_number("openat2", _HERE, name, flags, 24),
        again=again,
        exchanged=lambda: by_number("renameat2", _HERE, name, _HERE, notes, 2),
    )


def rights_by_number(aim):
    """Changes the metadata of another bot's file by every call that does, by its number.

    The C library knows only some of them, and so does whoever forbids calls by their names.
    """
    path = aim["other_bot"].encode()
    try:
        file = os.open(path, os.O_PATH)
    except OSError:
        file = -1
    word = ctypes.create_string_buffer(b"here")
    described = packed("QII", ctypes.addressof(word), 4, 0)
    flags = packed("QIIII", 64, 0, 0, 0, 0)
    times = struct.pack("=QQQQ", 1, 0, 1, 0)
    steps = dict(
        chmod=(path, 0o777),
        fchmodat=(_HERE, path, 0o777),
        fchmodat2=(_HERE, path, 0o777, 0),
        fchmodat2_of_open=(file, b"", 0o777, _EMPTY),
        fchmod=(file, 0o777),
        chown=(path, 65533, 65533),
        lchown=(path, 65533, 65533),
        fchownat=(_HERE, path, 65533, 65533, 0),
        fchownat_of_open=(file, b"", 65533, 65533, _EMPTY),
        utime=(path, struct.pack("=QQ", 1, 1)),
        utimes=(path, times),
        futimesat=(_HERE, path, times),
        utimensat=(_HERE, path, times, 0),
        setxattr=(path, b"user.mine", word, 4, 0),
        lsetxattr=(path, b"user.mine", word, 4, 0),
        setxattrat=(_HERE, path, 0, b"user.mine", described, 16),
        file_setattr=(_HERE, path, flags, 24, 0),
    )

    def step(name):
        return lambda: by_number(name.partition("_of_")[0], *steps[name])

    return attempt(**{name: step(name) for name in steps})


def flags_of_file(aim):
    """Changes the flags of another bot's file, which file systems keep beside its rights."""
    path = aim["other_bot"]
    flags = struct.pack("=q", _NOT_DUMPED)

    def control(request, argument, flags):
        file = os.open(path, flags)
        try:
            fcntl.ioctl(file, request, argument)
        finally:
            os.close(file)

    return attempt(
        flags=lambda: control(_SET_FLAGS, flags, os.O_RDONLY),
        more=lambda: control(_SET_MORE, struct.pack("=IIIII8x", 0x80, 0, 0, 0, 0), os.O_RDONLY),
        by_path=lambda: control(_SET_FLAGS, flags, os.O_PATH),
        own=lambda: fcntl.ioctl(os.open(aim["own_folder"], os.O_RDONLY), _SET_FLAGS, flags),
    )


def links_made(aim):
    """Gives another bot's file a second name, in a folder of its own, and puts names beside it."""
    path, folder = aim["other_bot"], aim["other_folder"]
    own = os.path.join(tempfile.gettempdir(), "mine-" + aim["token"])

    def opened(flags, *source):
        return by_number("linkat", *source, _HERE, own.encode(), flags)

    return attempt(
        link=lambda: os.link(path, own),
        link_own=lambda: os.link(path, os.path.join(aim["own_folder"], "link")),
        link_beside=lambda: os.link(path, os.path.join(folder, "link")),
        link_open=lambda: opened(_EMPTY, os.open(path, os.O_PATH), b""),
        link_followed=lambda: opened(
            _FOLLOW, _HERE, f"/proc/self/fd/{os.open(path, os.O_PATH)}".encode()
        ),
        name_beside=lambda: os.symlink(own, os.path.join(folder, "name")),
        pipe_beside=lambda: os.mkfifo(os.path.join(folder, "pipe")),
        folder_beside=lambda: os.mkdir(os.path.join(folder, "folder")),
        moved=lambda: os.rename(path, own),
    )
