"""Looks for what all share and everybody changes: memory in use, processes, load, interrupts."""

import os

from attempt import attempt, read


def play(observation, clock):
    aim = observation["aim"]

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
