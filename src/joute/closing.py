"""Things that hold what has to be let go: files, processes, connections.

A file of its own, because all layers use it.
"""

from __future__ import annotations

from typing import Self


class Closing:
    """Something to use in a `with` block, which closes it in the end."""

    def close(self) -> object:
        """Let go of everything; done twice, the second does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
