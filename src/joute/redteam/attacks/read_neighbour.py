"""Reads a bot whose file lies beside its own: students' files are often handed in to one folder."""

import errno
import json


def play(observation, clock):
    done, refused = {}, {}
    try:
        with open(observation["aim"]["neighbour"]) as file:
            done["open"] = file.read()
    except OSError as error:
        refused["open"] = errno.errorcode[error.errno]
    return {"action": 0, "message": json.dumps({"done": done, "refused": refused})}
