"""Leaves a word for a partner in another game among the user's keys, which the system keeps."""

import ctypes

from attempt import attempt, system_call

USER_KEYS, SESSION_KEYS = -4, -3
SEARCH, READ, TIME_OUT = 10, 11, 15


def play(observation, clock):
    aim = observation["aim"]
    name = b"word-" + aim["token"].encode()

    def ring(place):
        if aim["word"]:
            word = aim["word"].encode()
            key = system_call("add_key", b"user", name, word, len(word), place)
            return system_call("keyctl", TIME_OUT, key, 10)  # seconds: nothing stays for good
        key = system_call("keyctl", SEARCH, place, b"user", name, 0)
        buffer = ctypes.create_string_buffer(200)
        system_call("keyctl", READ, key, buffer, 200, 0)
        return buffer.value.decode()

    return attempt(user=lambda: ring(USER_KEYS), session=lambda: ring(SESSION_KEYS))
