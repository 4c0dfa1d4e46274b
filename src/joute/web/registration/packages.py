"""The packages that bots handed in may import: those of the interpreter that runs them.

Bots run in the interpreter of the server. Only packages that bots compute with are named: what else
is installed there is nobody's concern, and would tell attackers of the server what to look for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

COMPUTING = (
    "numpy",
    "scipy",
    "pandas",
    "polars",
    "scikit-learn",
    "torch",
    "tensorflow",
    "keras",
    "jax",
    "onnxruntime",
    "xgboost",
    "lightgbm",
    "numba",
    "networkx",
    "sympy",
    "ortools",
)
"""Packages that a bot may want, by the names of their distributions, in the order of the page."""


class Package(NamedTuple):
    """An installed package."""

    name: str
    version: str


@lru_cache(maxsize=1)
def packages() -> tuple[Package, ...]:
    """The packages to compute with that are installed."""
    return tuple(_installed())


def _installed() -> Iterator[Package]:
    for name in COMPUTING:
        try:
            yield Package(name, version(name))
        except PackageNotFoundError:
            continue
