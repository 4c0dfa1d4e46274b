"""The packages of others, and what is said where one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from joute.errors import Error
from joute.i18n.words import Sentence


class MissingPackageError(Error, ImportError):
    """A package that is not installed; its sentence names the extra that brings it."""


@contextmanager
def needing(*packages: str, extra: str) -> Iterator[None]:
    """Imports within need these packages. Raises MissingPackageError where one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in packages:
            raise
        raise MissingPackageError(
            Sentence("error.interop.package", package=error.name, extra=extra)
        ) from None
