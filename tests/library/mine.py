"""A bot of a file, that tells how often it was asked."""

TURNS = 0


def play(observation, clock):
    global TURNS  # noqa: PLW0603
    TURNS += 1
    return {"action": observation["legal"][-1], "message": f"turn {TURNS}"}
