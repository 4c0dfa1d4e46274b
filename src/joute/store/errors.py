"""What can be wrong with a store."""


class StoreError(Exception):
    """The database cannot be used: not one of ours, damaged, away, or of another layout.

    `short` is what the machine has too little of, as `joute.machine` calls it, if that is why.
    """

    def __init__(self, message: str, short: str | None = None) -> None:
        super().__init__(message)
        self.short = short
