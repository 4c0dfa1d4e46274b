"""Hooks of pytest for all tests; what tests call is in `helpers.py`."""

import os

from helpers import GOLDEN


def pytest_report_header() -> list[str]:
    """Says where golden files and compiled kernels come from, for whoever reads a failure."""
    cache = os.environ.get("JOUTE_CACHE") or "the default"
    return [f"golden files: {GOLDEN}", f"cache of compiled kernels: {cache}"]
