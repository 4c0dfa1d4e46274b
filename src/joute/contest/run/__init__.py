"""The running of a contest: its tasks, its workers, its coordinator."""
