"""Floods its standard output with a million bytes at each move, then plays the first legal one."""


def play(observation, clock):
    for _ in range(1000):
        print("a" * 999)
    return observation["legal"][0]
