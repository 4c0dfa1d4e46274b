"""Bots that change or come late in a contest whose later games depend on all of them."""

import json
from contextlib import suppress

import pytest
from contest import fakes

from joute.contest.config.config import resolve
from joute.contest.decisions import decide
from joute.contest.errors import DecisionError, Interrupted, RedrawError
from joute.contest.folder import known, opened_store, stored_games
from joute.contest.run.plan import planned
from joute.contest.run.redraw import redrawn_now
from joute.contest.run.runner import run_contest, status
from joute.library.matches import ContestRun
from joute.store.model import (
    ANNULLED,
    DISQUALIFIED,
    REINSTATED,
    REPLAYED,
    RETIRED,
    WITHDRAWN,
)
from joute.web.contests import child

pytestmark = pytest.mark.game("virus")

SWISS, KNOCKOUT = 'format = "swiss"\nrounds = 3', 'format = "knockout"'
POOLS, DOUBLE = 'format = "pools"', 'format = "double-knockout"'
GROUPS = "groups = 20"
FOUR = 'name = "tron"\nplayers = 4'
CHANGED, LATE, GONE = "changed", "late", "gone"


def write_bot(folder, name, text="# as it was"):
    (folder / "in" / f"{name}.py").write_text(f"{text} {name}\n", encoding="utf-8")


def contest_of(folder):
    return resolve(folder / "cup.toml", {"contest.seed": "z", "contest.workers": 2})


def play(folder, **options):
    return run_contest(contest_of(folder), play=fakes.quick, **options)


def rows(folder):
    return set(stored_games(folder / "cup.results")[1])


@pytest.fixture(name="cup")
def _cup(tmp_path):
    """Makes a contest of eight files, played unless `begun` says otherwise."""

    def make(lines, game='name = "virus"\nsize = 4', begun=True):
        (tmp_path / "in").mkdir()
        for number in range(8):
            write_bot(tmp_path, f"b{number}")
        text = f'bots = ["in/*"]\n[contest]\n{lines}\n[game]\n{game}\n'
        (tmp_path / "cup.toml").write_text(text, encoding="utf-8")
        if begun:
            play(tmp_path)
        return tmp_path

    return make


def change(folder, kind):
    if kind == GONE:
        (folder / "in" / "b3.py").unlink()
    else:
        write_bot(folder, "b3" if kind == CHANGED else "b9", "# another")


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (SWISS, CHANGED),
        (SWISS, LATE),
        (KNOCKOUT, CHANGED),
        (KNOCKOUT, LATE),
        (KNOCKOUT, GONE),
        (DOUBLE, CHANGED),
        (POOLS, LATE),
        ('spend = "unresolved"\ngames = 8', CHANGED),
    ],
)
def test_other_bots_do_not_have_a_contest_drawn_again_unless_that_is_asked_for(cup, lines, kind):
    folder = cup(lines)
    files = {path: path.read_bytes() for path in (folder / "cup.results").glob("standings.*")}
    before = rows(folder)
    change(folder, kind)
    told = f"{len(before) - status(contest_of(folder)).done} of {len(before)}"
    reason = {
        CHANGED: "the files of b3 were changed",
        LATE: "b9 was not among the bots",
        GONE: "b3 is no longer among the bots",
    }
    for _ in range(2):  # what was refused is not what is in force
        with pytest.raises(RedrawError, match=f"{told} games would count no more") as refused:
            play(folder)
        assert str(refused.value).splitlines()[1:] == [f"  {reason[kind]}"]
    assert str(redrawn_now(contest_of(folder))) == str(refused.value)
    assert rows(folder) == before
    assert {path: path.read_bytes() for path in files} == files
    done = play(folder, redraw=True)
    assert done.left == 0 and before < rows(folder)
    assert play(folder).played == 0  # it is their contest from then on
    assert redrawn_now(contest_of(folder)) is None


def test_a_late_bot_does_not_have_the_groups_of_a_contest_drawn_again_unless_that_is_asked_for(cup):
    folder = cup(GROUPS, FOUR)
    change(folder, CHANGED)
    assert play(folder).played == 80  # the groups are the same, and its own games are played again
    change(folder, LATE)
    with pytest.raises(RedrawError, match="b9 was not among"):
        play(folder)


@pytest.mark.parametrize("lines", ["", 'format = "league"\nopponents = 3'])
@pytest.mark.parametrize("kind", [CHANGED, LATE, GONE])
def test_other_bots_play_on_where_they_bring_games_of_their_own_only(cup, lines, kind):
    folder = cup(lines)
    change(folder, kind)
    assert redrawn_now(contest_of(folder)) is None
    assert play(folder).left == 0


@pytest.mark.parametrize("lines", [SWISS, POOLS])
def test_a_bot_may_change_before_a_round_was_drawn_from_its_games(cup, lines):
    folder = cup(lines, begun=False)
    seen = []

    def stop(*facts):
        seen.append(facts)
        if facts[0] >= 4:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        play(folder, progress=stop)
    change(folder, CHANGED)
    assert play(folder).left == 0


def test_a_run_that_was_stopped_goes_on_with_the_bots_that_it_had(cup):
    folder = cup(KNOCKOUT)
    change(folder, LATE)

    def stop(*facts):
        if facts[0] >= 4:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        play(folder, progress=stop, redraw=True)
    assert play(folder).left == 0


def test_another_order_of_the_bots_draws_again_what_is_seeded_by_it(cup, tmp_path):
    folder = cup(f'{KNOCKOUT}\nseeding = "listed"')
    names = json.dumps([f"in/b{number}.py" for number in (1, 0, 2, 3, 4, 5, 6, 7)])
    text = (folder / "cup.toml").read_text(encoding="utf-8").replace('["in/*"]', names)
    (folder / "cup.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RedrawError, match="another order"):
        play(folder)


def keep_as_older(folder, configuration=None, contents=None):
    with opened_store(folder / "cup.results") as store:
        kept = store.configured()[-1]
        store.keep_configuration(configuration or kept.configuration, kept.seed, contents)


def test_of_a_folder_that_noted_no_files_only_bots_that_came_or_went_are_noticed(cup):
    folder = cup(KNOCKOUT)
    keep_as_older(folder)
    change(folder, CHANGED)
    assert redrawn_now(contest_of(folder)) is None
    change(folder, LATE)
    [told] = redrawn_now(contest_of(folder)).changes
    assert told.what == "b9"


def test_a_folder_of_another_version_that_cannot_tell_its_bots_is_played_on(cup):
    folder = cup(KNOCKOUT)
    keep_as_older(folder, '{"name": "old"}')
    change(folder, LATE)
    assert play(folder).left == 0


def test_nothing_is_decided_where_other_bots_would_have_the_contest_drawn_again(cup):
    folder = cup(KNOCKOUT)
    change(folder, CHANGED)
    with pytest.raises(RedrawError):
        decide(contest_of(folder), WITHDRAWN, "b1", "its author asked")
    write_bot(folder, "b3")
    assert status(contest_of(folder)).decisions == []
    assert play(folder).played == 0


def test_the_library_and_the_web_refuse_alike_and_a_ladder_goes_on(cup, capsys, monkeypatch):
    folder = cup(KNOCKOUT)
    change(folder, CHANGED)
    monkeypatch.setattr("joute.contest.run.runner.check_isolation", lambda contest: None)
    with pytest.raises(RedrawError):
        ContestRun(contest_of(folder)).run()
    assert child.resume(folder / "cup.results") == child.FAILED
    assert "the files of b3 were changed" in capsys.readouterr().err
    monkeypatch.setattr(child, "ladder_contest", lambda file: contest_of(folder))
    monkeypatch.setattr(child.os, "nice", lambda steps: None)
    asked = []
    monkeypatch.setattr(
        "joute.contest.run.runner.run_contest",
        lambda contest, **options: asked.append(options) or play(folder, **options),
    )
    assert child.ladder(folder / "cup.toml") == child.DONE
    assert asked == [{"redraw": True}]


def counting(folder):
    contest = contest_of(folder)
    return planned(contest, known(contest)).counted()


@pytest.mark.parametrize("lines", [SWISS, KNOCKOUT, DOUBLE, POOLS])
@pytest.mark.parametrize("kind", [ANNULLED, REPLAYED])
def test_a_decision_on_a_game_says_how_many_others_do_not_count_for_now(cup, lines, kind):
    folder = cup(lines)
    before = counting(folder)
    found = set()
    for _, game in before[::3]:
        told = decide(contest_of(folder), kind, game.identity, "the power went")
        now = status(contest_of(folder))
        assert told.undrawn == len(before) - now.done - 1
        assert told.reopened == (now.left > 0 and told.undrawn > 0)
        found.add(told.undrawn)
        back = decide(contest_of(folder), REINSTATED, game.identity, "it had not")
        assert (back.undrawn, back.reopened) == (0, False)
        assert len(counting(folder)) == len(before)
    assert len(found) > 1


@pytest.mark.parametrize("lines", [SWISS, KNOCKOUT, DOUBLE, POOLS])
@pytest.mark.parametrize("kind", [WITHDRAWN, RETIRED, DISQUALIFIED])
def test_rounds_that_are_over_stay_as_they_were_drawn_when_a_bot_goes(cup, lines, kind):
    folder = cup(lines, begun=False)
    for most in (4, 14, 10**6):

        def stop(*facts, most=most):
            if facts[0] >= most:
                raise KeyboardInterrupt

        with suppress(Interrupted):
            play(folder, progress=stop)
        for bot in contest_of(folder).bots[::3]:
            told = decide(contest_of(folder), kind, bot.name, "its author asked")
            assert (told.undrawn, told.reopened) == (0, False)
            decide(contest_of(folder), REINSTATED, bot.name, "after all it stays")


def test_a_bot_that_comes_back_has_the_rounds_without_it_drawn_again(cup):
    folder = cup(SWISS, begun=False)

    def stop(*facts):
        if facts[0] >= 8:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        play(folder, progress=stop)
    decide(contest_of(folder), WITHDRAWN, "b3", "its author asked")
    play(folder)
    told = decide(contest_of(folder), REINSTATED, "b3", "its author asked")
    assert told.undrawn > 0 and told.reopened


def test_a_decision_that_is_refused_leaves_all_as_it_was(cup):
    folder = cup(KNOCKOUT)
    with pytest.raises(DecisionError):
        decide(contest_of(folder), ANNULLED, "ffff", "why not")
    assert play(folder).played == 0


def test_a_run_counts_as_played_only_what_it_played(cup):
    folder = cup(KNOCKOUT)
    before = rows(folder)
    _, first = counting(folder)[0]
    decide(contest_of(folder), REPLAYED, first.identity, "the power went")
    done = play(folder)
    assert done.played == len(rows(folder) - before)
    assert done.already + done.played == len(counting(folder)) and done.already > 6
