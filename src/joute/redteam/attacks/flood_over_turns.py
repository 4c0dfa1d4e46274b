"""Prints and says in each of many turns as much as one turn may, for the record to swell."""

import random

from attempt import attempt


def play(observation, clock):
    print(random.randbytes(45000).hex())
    return dict(attempt(), message=random.randbytes(2000).hex())
