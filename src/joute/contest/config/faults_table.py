"""The [faults] table: what each fault costs, and what a bot is disqualified for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from joute.contest.config.reading import DEFAULT, Reader, one_of, whole
from joute.contest.ranking.discipline import DISQUALIFICATION
from joute.i18n.words import Sentence

LATE = "timeout"  # depends on the machine too: it disqualifies only where the contest says so


def read_faults(table: Reader, game: str) -> dict[str, Any]:
    """The fields of a contest that the table gives. Raises ConfigError."""
    from joute.play.game import FAULT_COSTS, usual_costs

    costs = {
        fault: table.take(fault, one_of(*FAULT_COSTS, DISQUALIFICATION), usual, DEFAULT)
        for fault, usual in usual_costs(game).items()
    }
    restarts = table.take("max_restarts", whole(0), 2)
    if table.has("disqualify_for") and not table.has("disqualify_after"):
        reason = Sentence("error.config.goes_with", key="disqualify_after")
        raise table.error("disqualify_for", reason)
    after = table.take("disqualify_after", whole(1), None)
    usual_counted = tuple(fault for fault in costs if fault != LATE)
    counted = table.take("disqualify_for", _some_of(*costs), usual_counted)
    table.finish()
    return {
        "costs": costs,
        "max_restarts": restarts,
        "disqualify_after": after,
        "disqualify_for": counted,
    }


def _some_of(*choices: str) -> Callable[[Any], tuple[str, ...]]:
    """Checks a list of different words, at least one."""
    check_one = one_of(*choices)

    def check(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise ValueError(Sentence("error.config.faults"))
        if any(value.count(word) > 1 for word in value):
            raise ValueError(Sentence("error.config.different_faults"))
        return tuple(check_one(word) for word in value)

    return check
