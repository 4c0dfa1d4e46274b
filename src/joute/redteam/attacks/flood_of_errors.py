"""Fails in each of many turns with as long an error as is kept, for the record to swell."""


def play(observation, clock):
    raise ValueError(4000 * "\0")  # six characters each, in a record
