"""What can be wrong with a store."""


class StoreError(Exception):
    """The database cannot be used: not one of ours, damaged, away, or of another layout."""
