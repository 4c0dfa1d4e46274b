"""What can be wrong with a map's text, and the error that says where."""

from joute.core.errors import GameError

CAUSES = {
    "header": "'{found}': expected 'tron 1', or a width and a height",
    "keyword": "'{found}' has no place here: expected {expected}",
    "size": "'{found}': expected {expected}, each at least 1, and at most 30000 cells in all",
    "option-name": "'{found}' is no option left to set: expected {expected}",
    "option-value": "'{found}': expected {expected}",
    "floor-number": "'{found}': expected {expected}",
    "floor-missing": "the line '{expected}' is missing, with its rows",
    "row-length": "the row has {found} signs, not {expected}",
    "row-missing": "the floor has {found} rows, not {expected}",
    "row-extra": "the floor has more than {expected} rows",
    "end-missing": "the last line, '{expected}', is missing",
    "character": "the sign '{found}' means nothing here: expected one of '{expected}'",
    "start-missing": "start {expected} is missing",
    "start-twice": "start {found} is there already",
    "start-blocked": "start {found} has no free cell beside it",
    "teleporter": "teleporter {found}: exactly two ends are needed, this is {expected}",
    "stairs": "stairs '{found}' lead nowhere; at the same place there must be: {expected}",
}
"""What is said of each cause, in English."""


class MapError(GameError):
    """A map's text that is wrong at a line and a column, both counted from 1.

    `cause` is one of CAUSES; `found` and `expected` fill its sentence, `reason`.
    """

    def __init__(
        self, line: int, column: int, cause: str, found: str = "", expected: str = ""
    ) -> None:
        self.line = line
        self.column = column
        self.cause = cause
        # Signs that a terminal would obey are shown as escapes.
        self.found = found if found.isprintable() else ascii(found)[1:-1]
        self.expected = expected
        self.reason = CAUSES[cause].format(found=self.found, expected=expected)
        super().__init__(f"line {line}, column {column}: {self.reason}")

    def __reduce__(self):
        """How it is copied to another process: from the values, not from the message."""
        return MapError, (self.line, self.column, self.cause, self.found, self.expected)

    def with_file(self, name: str) -> str:
        """The message with the file's name, as editors and compilers write places."""
        return f"{name}:{self.line}:{self.column}: {self.reason}"
