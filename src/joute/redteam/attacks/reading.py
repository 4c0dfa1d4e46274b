"""Attacks that read what is not theirs: files, memory, descriptors, sizes, numbers of processes."""

import ctypes
import hashlib
import importlib.util
import json
import os
import sys

from joute.redteam.attacks.attempt import attempt, by_number, call, cut_out, packed, read

_HERE = -100
_QUARTER = 10**9 // 4  # of a second, in nanoseconds


def read_other_bot(aim):
    """Reads another bot's file by its path and through a link of its own, and lists its folder."""

    def through_link():
        link = os.path.join(aim["own_folder"], "link-" + aim["token"])
        os.symlink(aim["other_bot"], link)
        return read(link)

    return attempt(
        open=lambda: read(aim["other_bot"]),
        relative=lambda: read(os.path.join("..", "other", "bot.py")),
        root=lambda: read("/proc/self/root" + aim["other_bot"]),
        link=through_link,
        list=lambda: os.listdir(aim["other_folder"]),
    )


def program_reading(aim):
    """Reads another bot's files as a program, in whose process no part of the host runs."""
    return read_other_bot(aim)


def read_neighbour(aim):
    """Reads a bot whose file lies beside its own, as when students hand in to one folder."""
    return attempt(open=lambda: read(aim["neighbour"]).decode())


def _read_beside(aim, *names):
    folder = os.path.dirname(aim["neighbour"])
    steps = {name: lambda name=name: read(os.path.join(folder, name)).decode() for name in names}
    return attempt(**steps)


def read_contest_file(aim):
    """Reads the contest's file and database beside its own file, whose text names both."""
    return _read_beside(aim, "contest.toml", "cup.sqlite", "./contest.toml")


def read_rival_data(aim):
    """Reads a rival's data beside its own file, by name and in a package that it imports."""
    try:
        import rival  # noqa: F401
    except ImportError:
        pass
    return _read_beside(aim, "rival_weights.json", "rival/weights.json")


def read_other_results(aim):
    """Reads the results of another contest beside its own file, by name and as a package."""
    try:
        import results  # noqa: F401
    except ImportError:
        pass
    return _read_beside(aim, "other.results/contest.sqlite", "results/contest.sqlite")


def read_database(aim):
    """Reads the contest's database and its user's files, which hold seeds, results and names."""
    return attempt(
        database=lambda: read(aim["database"]),
        notes=lambda: read(aim["notes"]),
        list=lambda: os.listdir(os.path.dirname(aim["database"])),
        home=lambda: len(os.listdir(aim["home"])),
    )


def read_referee_environment(aim):
    """Reads the environment and the command line of the referee, where passwords are kept."""
    mark, referee = aim["mark"], aim["referee"]
    return attempt(
        environment=lambda: cut_out(read(f"/proc/{referee}/environ"), mark),
        command=lambda: cut_out(read(f"/proc/{referee}/cmdline"), mark),
        parent=lambda: cut_out(read(f"/proc/{os.getppid()}/environ"), mark),
        own=lambda: cut_out(repr(dict(os.environ)).encode(), mark),
    )


def read_referee_memory(aim):
    """Reads the memory of the referee, where the game's seed and everybody's hand lie."""
    referee, mark = aim["referee"], aim["mark"]

    def areas():
        lines = read(f"/proc/{referee}/maps", 1 << 20).decode().splitlines()
        found = [
            line.split("-", 1)
            for line in lines
            if "[heap]" in line or "rw-p 00000000 00:00" in line
        ]
        return [(int(low, 16), int(rest.split()[0], 16)) for low, rest in found]

    def memory():
        with open(f"/proc/{referee}/mem", "rb", 0) as file:
            for low, high in areas():
                file.seek(low)
                secret = cut_out(file.read(min(high - low, 64 << 20)), mark)
                if secret != "not found":
                    return secret
        return "not found"

    def other_call():
        buffer = ctypes.create_string_buffer(64)
        here = packed("QQ", ctypes.addressof(buffer), 64)
        there = packed("QQ", aim["address"], 64)
        call("process_vm_readv", referee, here, 1, there, 1, 0)
        return cut_out(buffer.raw, mark)

    return attempt(
        maps=lambda: len(areas()),
        memory=memory,
        process_vm=other_call,
        parent=lambda: len(read(f"/proc/{os.getppid()}/maps")),
    )


def read_referee_descriptors(aim):
    """Opens what the referee has open: its files by /proc, or a copy of its descriptors."""
    folder = f"/proc/{aim['referee']}/fd"

    def stolen():
        process = os.pidfd_open(aim["referee"])
        copy = by_number("pidfd_getfd", process, aim["descriptor"], 0)
        return cut_out(os.pread(copy, 4096, 0), aim["mark"])

    def inherited():
        data = b""
        for descriptor in range(3, 200):
            try:
                data += os.pread(descriptor, 4096, 0)
            except OSError:
                continue
        return cut_out(data, aim["mark"])

    return attempt(
        list=lambda: os.listdir(folder),
        open=lambda: cut_out(read(f"{folder}/{aim['descriptor']}"), aim["mark"]),
        copy=stolen,
        inherited=inherited,
    )


def read_inherited(aim):
    """Reads the open files that its process inherited from whoever started it."""

    def each(look):
        found = []
        for number in range(3, 1 << 10):
            try:
                found.append(look(number))
            except OSError:
                continue
        if not found:
            raise FileNotFoundError(2, "nothing was left open")
        return " ".join(found)

    def inside(number):
        if not os.path.isfile(f"/proc/self/fd/{number}"):
            raise OSError(22, "no file")
        return cut_out(os.pread(number, 1 << 16, 0), aim["mark"])

    def again(number):
        with open(f"/proc/self/fd/{number}", "rb", 0) as file:
            if not os.path.isfile(file.fileno()):
                raise OSError(22, "no file")
            return cut_out(file.read(1 << 16), aim["mark"])

    return attempt(inside=lambda: each(inside), again=lambda: each(again))


def read_by_handle(aim):
    """Reads another bot's file by its handle, for which no path is walked."""
    handle, mount = packed("Ii", 128, 0, size=256), ctypes.create_string_buffer(8)

    def named(flags):
        path = aim["other_bot"].encode()
        return by_number("name_to_handle_at", _HERE, path, handle, mount, flags)

    def opened(where):
        file = by_number("open_by_handle_at", os.open(where, os.O_RDONLY), handle, 0)
        return os.read(file, 1 << 12).decode()

    return attempt(
        named=lambda: named(0),
        named_only=lambda: named(0x200),
        opened=lambda: opened("/usr"),
        opened_at=lambda: by_number("open_by_handle_at", _HERE, handle, 0),
    )


def import_joute(aim):
    """Imports Joute itself, its rules and its own players, or reads their sources."""
    source = os.path.join("core", "interface.py")

    def told(path):
        return aim["mark"] + hashlib.blake2b(read(path, -1)).hexdigest()[:16]

    def by_import():
        found = importlib.util.find_spec("joute")
        if found is None or not found.origin:
            raise FileNotFoundError(2, "not to be imported")
        return told(os.path.join(os.path.dirname(found.origin), source))

    def by_search():
        for folder in sys.path:
            path = os.path.join(folder, "joute", source)
            if os.path.exists(path):
                return told(path)
        raise FileNotFoundError(2, "not in the path")

    return attempt(
        imported=by_import,
        searched=by_search,
        read=lambda: told(os.path.join(aim["package"], source)),
    )


def climb_out(aim):
    """Looks for the rest of the file system: above its root, below its mounts, by processes."""

    def by_folder(start):
        folder = os.open(start, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for _ in range(12):
                above = os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
                os.close(folder)
                folder = above
            descriptor = os.open(aim["notes"].lstrip("/"), os.O_RDONLY, dir_fd=folder)
            return os.read(descriptor, 100)
        finally:
            os.close(folder)

    def by_mapping():
        for name in os.listdir("/proc/self/map_files"):
            os.readlink("/proc/self/map_files/" + name)

    return attempt(
        above=lambda: read("/.." + aim["notes"]),
        below=lambda: read("/.host" + aim["notes"]),
        own_root=lambda: read("/proc/self/root/.." + aim["notes"]),
        first=lambda: read("/proc/1/root" + aim["notes"]),
        referee=lambda: read(f"/proc/{aim['referee']}/root" + aim["notes"]),
        referee_folder=lambda: read(f"/proc/{aim['referee']}/cwd" + aim["notes"]),
        opened=lambda: by_folder("."),
        scratch=lambda: by_folder("/dev/shm"),
        mapped=by_mapping,
        mounts=lambda: read("/proc/self/mountinfo").decode().count("\n"),
    )


def see_sizes(aim):
    """Asks for the sizes of another bot's files, which it may not read."""

    def sizes(ask):
        names = [os.path.join(aim["other_folder"], f"size-{number}") for number in range(4)]
        return aim["mark"] + "".join(f"{ask(name):04x}" for name in names)

    def opened(name):
        descriptor = os.open(name, os.O_PATH)
        try:
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    return attempt(
        stat=lambda: sizes(lambda name: os.stat(name).st_size),
        lstat=lambda: sizes(lambda name: os.lstat(name).st_size),
        path=lambda: sizes(opened),
        root=lambda: sizes(lambda name: os.stat("/proc/self/root" + name).st_size),
    )


def see_times(aim):
    """Asks when another bot's file was written and read, which it may not read."""

    def times(path):
        written = (os.stat(f"{path}-{number}").st_mtime_ns for number in range(2))
        return aim["mark"] + "".join(f"{each // _QUARTER:08x}" for each in written)

    return attempt(
        stat=lambda: times(aim["stamped"]),
        root=lambda: times("/proc/self/root" + aim["stamped"]),
        above=lambda: times("/.." + aim["stamped"]),
    )


def _near(aim, exists):
    """The numbers of processes that exist, near one in time: all would take longer than a turn."""
    decoy = aim["decoy"]
    near = sorted(range(decoy - 300, decoy + 300), key=lambda number: abs(number - decoy))
    seen = [each for each in near if each not in (os.getpid(), decoy) and exists(each)]
    if not seen:
        raise FileNotFoundError(2, "none")
    return " ".join(f"process {number}." for number in seen[:8])


def _answers(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def see_processes(aim):
    """Counts through the numbers of processes, for those of others that it was not told of."""
    return attempt(
        folders=lambda: _near(aim, lambda number: os.path.exists(f"/proc/{number}")),
        threads=lambda: _near(aim, lambda number: os.path.exists(f"/proc/self/task/{number}")),
        listed=lambda: len([name for name in os.listdir("/proc") if name.isdigit()]),
        scope_signals=lambda: _near(aim, _answers),
    )


def program_processes(aim):
    """Counts through the numbers of processes, as a program may that has children to signal."""

    def answers(number):
        try:
            return _answers(number)
        except PermissionError:
            return True  # it is there

    def first():
        # Ours, who wait for its end outside of its jail.
        return open("/proc/1/environ").read() + open("/proc/1/cmdline").read()

    return attempt(
        folders=lambda: _near(aim, lambda number: os.path.exists(f"/proc/{number}")),
        signals=lambda: _near(aim, answers),
        referee=lambda: os.readlink(f"/proc/{aim['referee']}/exe"),
        first=first,
    )


def see_network(aim):
    """Reads the tables of this machine's network: sockets by name, connections, routes."""

    def named(path):
        return cut_out(read(path, 1 << 22), aim["mark"])

    return attempt(
        named=lambda: named("/proc/self/net/unix"),
        usual=lambda: named("/proc/net/unix"),
        thread=lambda: named(f"/proc/self/task/{os.getpid()}/net/unix"),
        parent=lambda: named(f"/proc/{aim['referee']}/net/unix"),
        connections=lambda: len(read("/proc/self/net/tcp")),
    )


class guess_seed:
    """Guesses the game's seed, which fixes every deal, from all that a bot is told or can see.

    A bot's own seed is derived from the game's, and that from the contest's: a guess of the
    contest's can be checked. Short seeds are tried one by one, as long as time lasts.
    """

    def start(self, info):
        self.info = info

    def play(self, observation, clock):
        seen = [
            json.dumps(self.info),
            json.dumps(observation),
            repr(sys.argv),
            repr(dict(os.environ)),
        ]
        number = 0
        while clock.left() > 0.3 * clock.seconds:
            for text in (str(number), f"{number:032x}"):
                for seed in (text, self.contest_seed(text, self.info["names"])):
                    if self.bot_seed(seed, self.info["player"]) == self.info["seed"]:
                        seen.append(seed)
            number += 1
        return {"action": 0, "message": " ".join(seen)[-4000:]}

    @staticmethod
    def contest_seed(seed, names):
        """The seed of a game, as derived from that of its contest."""
        return hashlib.blake2b(json.dumps([seed, *names, 0]).encode(), digest_size=16).hexdigest()

    @staticmethod
    def bot_seed(seed, player):
        """The seed of a bot, as derived from that of its game."""
        text = "\0".join(("seed", seed, "bot", str(player)))
        return int(hashlib.blake2b(text.encode(), digest_size=16).hexdigest(), 16) % 2**53
