"""The base of all errors of Joute; each is raised with the sentence that a user reads."""


class Error(Exception):
    """A mistake of whoever calls, or a state of the machine, told in the language spoken now.

    The children are told apart by what is wrong: `GameError` (a game, a position, an action),
    `SearchError`, `BotError`, `RecordError`, `ConfigError`, `StoreError` and more.
    """
