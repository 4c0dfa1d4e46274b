"""Never answers, and computes on several threads outside the interpreter's lock."""

import hashlib
import threading


def play(observation, clock):
    def spin():
        while True:
            hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000)

    for number in range(2):
        threading.Thread(target=spin, daemon=True).start()
    spin()
