"""Metrics and marks of an answer: what is kept of them, and what its author is told of the rest."""

import json
import math

import pytest
from games.mistakes import in_french
from hypothesis import given
from hypothesis import strategies as st

from joute.host.annotations import (
    MARKS,
    METRICS,
    NAME_CHARACTERS,
    NONE,
    TONES,
    bounded_annotations,
)
from joute.host.child.interfaces import reply
from joute.host.protocol import Fault, judge

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_what_is_within_bounds_is_kept_as_it_is():
    metrics = {"depth": 8, "value": -0.25, "élan": 1e300}
    marks = [{"cell": [3, 4], "tone": "good"}, {"from": [0, 0, 1], "to": [5, 2, 1], "tone": "bad"}]
    found = bounded_annotations(metrics, marks)
    assert found.metrics == metrics
    assert found.marks == marks
    assert found.remarks == []


def test_a_mark_without_a_tone_is_a_note():
    [mark] = bounded_annotations(None, [{"cell": [1, 2]}]).marks
    assert mark["tone"] == "note"


def test_an_answer_without_annotations_has_none():
    assert bounded_annotations(None, None) is NONE
    assert bounded_annotations({}, []).empty


@pytest.mark.parametrize(
    ("metrics", "kept", "said"),
    [
        ([1, 2], {}, "expected numbers by name, got [1, 2]"),
        ({"a": 1, "b": "2"}, {"a": 1}, "the metric b is left out: 2 is not a finite number"),
        ({"a": True}, {}, "True is not a finite number"),
        ({"a": float("inf"), "b": 2.5}, {"b": 2.5}, "inf is not a finite number"),
        ({"a": 10**400}, {}, "the metric a is left out"),
        ({"": 1}, {}, "a name has 1 to 32 printable characters"),
        ({"a\nb": 1}, {}, "a name has 1 to 32 printable characters"),
        ({"n" * 33: 1, "b": 2}, {"b": 2}, "a name has 1 to 32"),
        ({1: 1}, {}, "a name has 1 to 32"),
        (
            {f"n{number}": number for number in range(METRICS + 5)},
            {f"n{number}": number for number in range(METRICS)},
            "metrics are left out beyond the first 16",
        ),
    ],
)
def test_a_metric_out_of_bounds_is_left_out_and_told(metrics, kept, said):
    found = bounded_annotations(metrics, None)
    assert found.metrics == kept
    [remark] = found.remarks
    assert said in remark
    assert in_french(remark) != remark


@pytest.mark.parametrize(
    "mark",
    [
        3,
        {},
        {"cell": [1]},
        {"cell": [1, 2, 3, 4]},
        {"cell": [-1, 2]},
        {"cell": [1000, 2]},
        {"cell": [1.5, 2]},
        {"cell": [True, 2]},
        {"cell": [1, 2], "tone": "loud"},
        {"cell": [1, 2], "tone": ["good"]},
        {"cell": [1, 2], "text": "here"},
        {"from": [1, 2]},
        {"cell": [1, 2], "from": [1, 2], "to": [1, 3]},
    ],
)
def test_a_mark_out_of_bounds_is_left_out_and_told(mark):
    found = bounded_annotations(None, [mark, {"cell": [0, 0], "tone": "bad"}])
    assert found.marks == [{"cell": [0, 0], "tone": "bad"}]
    [remark] = found.remarks
    assert remark.startswith("a mark is left out: expected a cell")
    assert "une marque est omise" in in_french(remark)


def test_all_that_is_left_out_is_named_up_to_a_few():
    metrics = {"a": math.nan, "b": math.inf, "c": 10**400, "d": True, "e": "text", "f": 1}
    found = bounded_annotations(metrics, [{"cell": [number]} for number in range(4)])
    assert found.metrics == {"f": 1}
    assert [each.split()[2] for each in found.remarks[:5]] == ["a", "b", "c", "d", "e"]
    assert [each[-3:] for each in found.remarks[5:]] == ["0]}", "1]}", "2]}", "3]}"]
    many = bounded_annotations({"": 1, **metrics, "g": "text"}, [3] * 8).remarks
    assert many[5] == "2 more are left out" and many[11] == "3 more are left out"
    assert in_french(many[5]) == "2 autres sont omises"
    enough = dict.fromkeys(map(str, range(METRICS + 1)), 1)
    full = bounded_annotations({**dict.fromkeys("abcdef"), **enough}, None)
    assert full.remarks[0] == "metrics are left out beyond the first 16"
    assert full.remarks[5] == "2 more are left out"


def test_marks_that_are_no_list_or_too_many_are_told():
    assert "expected a list" in bounded_annotations(None, {"cell": [1, 2]}).remarks[0]
    many = bounded_annotations(None, [{"cell": [1, 2]}] * (MARKS + 1))
    assert len(many.marks) == MARKS
    assert many.remarks == ["marks are left out beyond the first 64"]


@given(JSON, JSON)
def test_whatever_is_given_what_is_kept_is_bounded(metrics, marks):
    found = bounded_annotations(metrics, marks)
    assert len(found.metrics) <= METRICS
    assert all(1 <= len(name) <= NAME_CHARACTERS for name in found.metrics)
    assert all(type(value) in (int, float) for value in found.metrics.values())
    assert len(found.marks) <= MARKS
    assert all(mark["tone"] in TONES for mark in found.marks)
    assert all(len(remark) < 300 for remark in found.remarks)
    json.dumps(found, allow_nan=False)


def test_a_program_sends_them_with_its_action():
    line = {"type": "action", "action": 4, "metrics": {"depth": 3}, "marks": [{"cell": [1, 1]}]}
    found = judge(json.dumps(line).encode(), True)
    assert (found.action, found.fault) == (4, None)
    assert found.annotations.metrics == {"depth": 3}
    assert found.annotations.marks == [{"cell": [1, 1], "tone": "note"}]
    wrong = judge(b'{"type":"action","action":4,"metrics":"deep","marks":7}', True)
    assert (wrong.action, wrong.fault) == (4, None)
    assert len(wrong.annotations.remarks) == 2
    assert judge(b'{"type":"error","metrics":{"a":1}}', True).fault is Fault.CRASH


class Rude:
    """A value that cannot be looked at."""

    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


class Number:
    """A number of a library, as NumPy has them."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


def endless():
    """A list that contains itself."""
    found = []
    found.append(found)
    return found


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"a": Number(2), "b": Number(0.5)}, {"a": 2, "b": 0.5}),
        ({"a": float("nan"), "b": 1}, {"b": 1}),
        ({"a": 10**100, "b": 1}, {"b": 1}),
        ({"a": Rude(), "b": 1}, {"b": 1}),
        ({Rude(): 1}, {}),
        (Rude(), {}),
        (endless(), {}),
        ({"a": "\udc80", "b": 1}, {"b": 1}),
        ({f"n{number}": number for number in range(1000)}, None),
    ],
)
def test_no_turn_of_a_python_bot_is_lost_for_its_metrics(given, kept):
    sent = reply({"action": 3, "metrics": given, "marks": given})
    found = judge(json.dumps({"type": "action", **sent}).encode(), True)
    assert (found.action, found.fault) == (3, None)
    if kept is not None:
        assert found.annotations.metrics == kept
    assert found.annotations.remarks


def test_marks_of_tuples_and_arrays_are_read():
    marks = [{"cell": (1, 2), "tone": "good"}, {"from": Number([0, 0]), "to": [Number(1), 1]}]
    found = judge(
        json.dumps({"type": "action", **reply({"action": 1, "marks": marks})}).encode(), True
    )
    assert found.annotations.marks == [
        {"cell": [1, 2], "tone": "good"},
        {"from": [0, 0], "to": [1, 1], "tone": "note"},
    ]
