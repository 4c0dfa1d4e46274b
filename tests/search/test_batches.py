"""Batches end before the time does, however long a simulation takes."""

import pytest

from joute.search import batches as module
from joute.search.batches import MARGIN_SECONDS, MOST, MOST_NODES, NodePacer, batches


class Clock:
    """Stands in for the CPU time of a thread."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(module.time, "thread_time", lambda: self.now)


@pytest.mark.parametrize("cost", [1e-6, 1e-4, 3e-3])
@pytest.mark.parametrize("seconds", [0.05, 0.1, 2.0])
def test_with_seconds_they_fill_the_time_and_no_more(monkeypatch, cost, seconds):
    clock, begun, done = Clock(monkeypatch), 100.0, 0
    clock.now += 0.0005  # what is done before the first
    for count in batches(None, begun, seconds, 8):
        clock.now += count * cost
        done += count
    assert clock.now <= begun + max(seconds - MARGIN_SECONDS, 0.0005 + 8 * cost) + cost
    assert done * cost > 0.9 * (seconds - MARGIN_SECONDS) - cost


def test_the_first_batch_is_run_in_any_case(monkeypatch):
    Clock(monkeypatch)
    assert list(batches(None, 90.0, 1.0, 8)) == [8]
    assert list(batches(None, 100.0, None, 8)) == [8]


def test_a_number_of_simulations_alone_is_one_batch_unless_it_takes_long():
    assert list(batches(1234, 0.0, None, 8)) == [1234]
    assert list(batches(2 * MOST + 5, 0.0, None, 8)) == [MOST, MOST, 5]


def test_with_a_number_and_seconds_the_first_of_the_two_ends_them(monkeypatch):
    clock = Clock(monkeypatch)
    done = []
    for count in batches(1_000_000, 100.0, 0.5, 8):
        clock.now += count * 1e-3
        done.append(count)
    assert 400 < sum(done) < 500
    assert sum(batches(1_000_000, clock.now, 0.5, 8)) == 1_000_000
    assert list(batches(3, clock.now, 0.5, 8)) == [3]


def test_no_simulation_is_begun_that_would_end_too_late(monkeypatch):
    clock = Clock(monkeypatch)
    for count in batches(None, 100.0, 0.5, 1):
        clock.now += count * 0.2
    assert clock.now == pytest.approx(100.4)


def test_nodes_without_a_clock_are_visited_in_slices():
    done, asked = 0, []

    def visit(nodes):
        nonlocal done
        asked.append(nodes)
        done = min(nodes, 5 * MOST_NODES)
        return done == 5 * MOST_NODES

    pacer = NodePacer(lambda: 0.0)
    assert not pacer.run(visit, lambda: done, 2 * MOST_NODES + 7, None)
    assert asked == [MOST_NODES, 2 * MOST_NODES, 2 * MOST_NODES + 7]
    assert pacer.run(visit, lambda: done, 9 * MOST_NODES, None)


def test_slices_are_as_long_as_the_clock_is_to_be_left_alone():
    assert module.slice_nodes(1000, 0.0005, 1.0) == 2000
    assert module.slice_nodes(1000, 0.0005, 0.00025) == 500  # no further than the time there is
    assert module.slice_nodes(1000, 0.0, 1.0) == 4000  # no faster than the clock can tell
    assert module.slice_nodes(10, 5.0, 1.0) == 1


def test_a_pace_remembers_slow_nodes_when_fast_ones_have_come_between():
    now, nodes = [0.0], [0]

    def visit(budget, each):
        now[0] += (budget - nodes[0]) * each
        nodes[0] = budget
        return False

    pace = module.NodePacer(lambda: now[0])
    for each, seconds in [(1e-5, 0.05), (1e-8, 0.0001), (1e-5, 0.002)]:
        stop = now[0] + seconds
        assert not pace.run(lambda n, each=each: visit(n, each), lambda: nodes[0], 2**62, stop)
        assert now[0] <= stop + 0.0005
