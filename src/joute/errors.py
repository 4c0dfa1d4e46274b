"""The base of all errors of Joute; each is raised with the sentence that a user reads."""


class Error(Exception):
    """The base of all errors of Joute: a mistake of the caller, or a state of the machine.

    Its text is a sentence in the language spoken now. Its subclasses say what is wrong: `GameError`
    (a game, a position, an action), `SearchError`, `BotError`, `RecordError`, `ConfigError`,
    `StoreError` (a database that cannot be used) and others.
    """
