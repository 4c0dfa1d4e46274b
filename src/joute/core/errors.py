"""What cannot be, told to who asked for it. Imports nothing, so that commands start fast."""


class GameError(ValueError):
    """A game, its parameters, an action or a state that cannot be."""


class ActionError(GameError):
    """A text that names no action; carries the text and what was expected."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"{text!r} is not an action: expected {expected}")
