"""The library's fixtures: those of a browser."""

from web.conftest import chromium

__all__ = ["chromium"]
