"""Ratings beside the standings, in a terminal's words."""

import pytest
from contest.simulated import won

from joute.cli.standings import print_standings
from joute.contest.ranking.ranking import rank
from joute.contest.rating.rating import rate


@pytest.fixture
def shown(capsys):
    """The standings of some games as they are printed, with ratings."""
    from msgspec.structs import replace

    def show(names, games) -> list[str]:
        ratings = {line.name: line for line in rate(names, games).bots}
        table = [replace(line, rating=ratings[line.name]) for line in rank(names, games)]
        print_standings(table, "cup")
        return capsys.readouterr().out.splitlines()

    return show


CLOSE = won(*[("ann", "bob")] * 22, *[("bob", "ann")] * 18)


def test_an_elo_stands_beside_the_score_with_its_interval(shown):
    lines = shown(["ann", "bob"], CLOSE)
    assert "Elo [95%]" in lines[1]
    [ann] = [line for line in lines if line.split()[1:2] == ["ann"]]
    assert " +17  [-" in ann


def test_bots_that_cannot_be_told_apart_share_a_letter(shown):
    clear = won(*[("ann", "cid")] * 30, *[("cid", "ann")] * 2, start=100)
    clear += won(*[("bob", "cid")] * 30, *[("cid", "bob")] * 2, start=200)
    lines = shown(["ann", "bob", "cid"], CLOSE + clear)
    letters = {line.split()[1]: line.split("]")[-1].split()[0] for line in lines[3:6]}
    assert letters == {"ann": "a", "bob": "a", "cid": "b"}
    assert "Bots with a letter in common cannot be told apart" in "\n".join(lines)
    [told] = [line for line in lines if "more games between them" in line]
    assert told.startswith("ann is stronger than bob with a likelihood of ")


def test_who_has_no_elo_is_told_with_the_reason(shown):
    games = CLOSE + won(("top", "ann"), ("ann", "low"), start=100)
    lines = shown(["ann", "bob", "top", "low", "out"], games)
    beginning = "no Elo, too few decisive games"
    assert [line for line in lines if line.startswith("no Elo")] == [
        f"{beginning} (all won against those who have one): top",
        f"{beginning} (all lost against those who have one): low",
        f"{beginning}: out",
    ]


def test_without_any_elo_there_is_no_column_for_it(shown):
    lines = shown(["ann", "bob"], won(("ann", "bob")))
    assert "Elo" not in "\n".join(lines)
