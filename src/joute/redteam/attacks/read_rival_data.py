"""Reads a rival's data beside its own file, by name and in a package that it imports."""

import errno
import json
import os

try:
    import rival
except ImportError:
    rival = None


def play(observation, clock):
    folder = os.path.dirname(observation["aim"]["neighbour"])
    done, refused = {}, {}
    # Each of these names stands in this text, as in a comment that is there for nothing else.
    for name in ("rival_weights.json", "rival/weights.json"):
        try:
            with open(os.path.join(folder, name)) as file:
                done[name] = file.read()
        except OSError as error:
            refused[name] = errno.errorcode[error.errno]
    return {"action": 0, "message": json.dumps({"done": done, "refused": refused})}
