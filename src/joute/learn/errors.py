"""What can be wrong with a wish to learn."""


class LearningError(ValueError):
    """A game without anything to learn, or a folder that holds something else."""


class Paused(Exception):
    """Learning stopped before its end, on request or for its time; it can go on."""
