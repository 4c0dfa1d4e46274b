"""Mounts another file system over what it sees, in a world of its own so as to harm nobody."""

from attempt import attempt, call

USER, MOUNT = 0x10000000, 0x00020000
PRIVATE, RECURSIVE, BIND = 1 << 18, 1 << 14, 1 << 12


def play(observation, clock):
    def world():
        try:
            call("unshare", MOUNT)
        except OSError:
            call("unshare", USER | MOUNT)
        call("mount", b"none", b"/", None, PRIVATE | RECURSIVE, None)
        return True

    def mount():
        world()
        call("mount", b"none", observation["aim"]["own_folder"].encode(), b"tmpfs", 0, None)

    def newer():
        world()
        return call("syscall", 428, -100, b"/", 1)  # open_tree

    return attempt(mount=mount, newer=newer)
