"""Looks for the rest of the file system: above its root, below its mounts, by other processes."""

import os

from attempt import attempt, read


def play(observation, clock):
    aim = observation["aim"]

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
