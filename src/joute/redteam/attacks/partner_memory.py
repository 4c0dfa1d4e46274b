"""Leaves a word for a partner in another game, in shared memory and queues of messages."""

import ctypes

from attempt import attempt, call

CREATE, READ, SIZE = 0o1600, 0o400, 256


def play(observation, clock):
    aim = observation["aim"]
    key = int(aim["token"][:7], 16)
    name = b"/word-" + aim["token"].encode()
    buffer = ctypes.create_string_buffer(SIZE)

    def segment():
        number = call("shmget", key, SIZE, CREATE if aim["word"] else READ)
        address = call("shmat", number, None, 0)
        if aim["word"]:
            ctypes.memmove(address, aim["word"].encode(), len(aim["word"]))
        return ctypes.string_at(address).decode()

    def queue():
        number = call("msgget", key, CREATE if aim["word"] else READ)
        if aim["word"]:
            letter = (b"\1" + bytes(7) + aim["word"].encode()).ljust(SIZE, b"\0")
            return call("msgsnd", number, letter, 64, 0o4000)
        call("msgrcv", number, buffer, 64, 0, 0o4000)
        return buffer.raw[8:72].rstrip(b"\0").decode()

    def posix():
        number = call("mq_open", name, 0o100 | 2 | 0o4000, 0o600, None)
        if aim["word"]:
            return call("mq_send", number, aim["word"].encode(), len(aim["word"]), 0)
        long = ctypes.create_string_buffer(8192)
        call("mq_receive", number, long, 8192, None)
        return long.value.decode()

    def counter():
        number = call("semget", key, 32, CREATE if aim["word"] else READ)
        for place, letter in enumerate(aim["word"][-16:] if aim["word"] else ""):
            call("semctl", number, place, 16, ord(letter))  # SETVAL
        return aim["mark"] + "".join(chr(call("semctl", number, place, 12)) for place in range(16))

    return attempt(segment=segment, queue=queue, posix=posix, counter=counter)
