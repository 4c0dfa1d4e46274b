"""What can be wrong with a store."""

from joute.i18n.words import Sentence
from joute.text import cut

LONGEST_SHOWN = 60  # characters of a value


class StoreError(Exception):
    """The database cannot be used: not one of ours, damaged, away, or of another layout.

    `short` is what the machine has too little of, as `joute.machine` calls it, if that is why.
    """

    def __init__(self, message: Sentence, short: str | None = None) -> None:
        super().__init__(message)
        self.short = short


class DamagedError(StoreError):
    """A row holds something that is never written there."""

    def __init__(self, table: str, row: object, column: str, value: object) -> None:
        self.table = table
        self.row = row  # its number, or whose it is
        self.column = column
        text = value if isinstance(value, str) else repr(value)
        self.value = value if isinstance(value, Sentence) else cut(text, LONGEST_SHOWN)
        place = {"table": table, "row": row, "column": column}
        super().__init__(Sentence("error.store.damaged", **place, value=self.value))
