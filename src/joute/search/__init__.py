"""Algorithms that know no game: each as a function of a position, and as a class for bots.

`joute.search.uct(position, simulations=10_000)` and the like are in `functions`; they are imported
when they are used, for they need Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from joute.search.functions import SearchResult as SearchResult
    from joute.search.functions import alphabeta as alphabeta
    from joute.search.functions import expectimax as expectimax
    from joute.search.functions import flat as flat
    from joute.search.functions import ismcts as ismcts
    from joute.search.functions import uct as uct

__all__ = ["SearchResult", "alphabeta", "expectimax", "flat", "ismcts", "uct"]


if not TYPE_CHECKING:  # who checks types would be told that there is any name

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return getattr(import_module("joute.search.functions"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
