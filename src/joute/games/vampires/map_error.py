"""What can be wrong with a map of Vampires vs Werewolves, and the error that says where."""

from joute.core.errors import GameError

CAUSES = {
    "xml": "this is no XML: {found}",
    "forbidden": "a map declares no document type and no entities",
    "root": "the root is '{found}': expected 'Map'",
    "element": "the element '{found}' has no place here: expected {expected}",
    "text": "the text '{found}' has no place here",
    "attribute": "{element} has no attribute '{found}': expected {expected}",
    "missing": "{element} has no {expected}",
    "number": "{element}: {found}: expected a whole number in {expected}",
    "outside": "{element}: {found} is outside the grid: expected {expected}",
    "taken": "{element}: the cell {found} holds {expected} already",
    "start-missing": "{expected} are missing",
    "start-twice": "a second group of {element}: expected one",
    "crowded": "{found} cells are occupied: expected {expected} at most",
}
"""What is said of each cause, in English."""


class MapError(GameError):
    """A map's text that is wrong at a line and a column, both counted from 1.

    `cause` is one of CAUSES; `element`, `found` and `expected` fill its sentence, `reason`.
    """

    def __init__(
        self,
        line: int,
        column: int,
        cause: str,
        found: str = "",
        expected: str = "",
        element: str = "",
    ) -> None:
        self.line = line
        self.column = column
        self.cause = cause
        # Signs that a terminal would obey are shown as escapes.
        self.found, self.element = (
            text if text.isprintable() else ascii(text)[1:-1] for text in (found, element)
        )
        self.expected = expected
        self.reason = CAUSES[cause].format(
            found=self.found, expected=expected, element=self.element
        )
        super().__init__(f"line {line}, column {column}: {self.reason}")

    def __reduce__(self):
        """How it is copied to another process: from the values, not from the message."""
        values = (self.line, self.column, self.cause, self.found, self.expected, self.element)
        return MapError, values

    def with_file(self, name: str) -> str:
        """The message with the file's name, as editors and compilers write places."""
        return f"{name}:{self.line}:{self.column}: {self.reason}"
