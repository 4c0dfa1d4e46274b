"""Actions as bots and people write them, read without an end of the program whatever they wrote.

Rules may fail on a text that their author did not think of: `int` refuses 5000 digits by another
error than "zz". Whoever wrote it has named no action.
"""

from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import expand, parse
from joute.i18n.words import Sentence
from joute.text import cut

LONGEST = 60  # characters of an answer that are told


def read_text(game: Any, state: Any, text: str) -> int:
    """The action that a text names. Raises ActionError, and nothing else."""
    try:
        return int(parse(game, state, text))
    except Exception as error:
        raise _refused(text, error) from error


def read_answer(game: Any, state: Any, answer: Any) -> list[int]:
    """The actions that an answer stands for, as `expand` has it. Raises ActionError alone."""
    try:
        return expand(game, state, answer)
    except Exception as error:
        raise _refused(answer, error) from error


def _refused(answer: Any, error: Exception) -> ActionError:
    if isinstance(error, ActionError):
        return error
    text = answer if isinstance(answer, str) else repr(answer)
    why = f"{type(error).__name__}: {error}"
    return ActionError(cut(text, LONGEST), Sentence("error.action.read", error=why))
