from itertools import pairwise
from xml.etree import ElementTree

import pytest
from cli.exported import played
from contest.reports import made_up

from joute.cli.plot import text_plot
from joute.contest.report.plots import (
    COURSE,
    CROSS,
    KINDS,
    RATING,
    TIME,
    even_scale,
    log_scale,
    picture,
)
from joute.i18n.figures import distinct, short

SVG = "{http://www.w3.org/2000/svg}"
EIGHT = "\n".join(
    f'[[bots]]\nbot = "builtin:alphabeta?nodes={9 + place}"\nname = "bot {name}"'
    for place, name in enumerate("abcdefgh")
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return played(tmp_path_factory.mktemp("class"))


@pytest.fixture(scope="module")
def eight(tmp_path_factory):
    """Eight bots of which each beats those after it."""
    return made_up(tmp_path_factory.mktemp("eight"), EIGHT)


def _words(drawn):
    root = ElementTree.fromstring(drawn.written())
    return root, [each.text for each in root.iter(f"{SVG}text")]


@pytest.mark.game("virus")
def test_all_plots_are_printed_or_the_one_that_is_named(run, file):
    everything = run("plot", file)
    assert (everything.code, everything.err) == (0, "")
    for heading in ("Rating in Elo", "Who beat whom", "Score in %", "Processor time"):
        assert heading in everything.out
    one = run("plot", file, "cross").out
    assert one in everything.out
    assert "Score in %, after" not in one
    assert "Temps de processeur" in run("plot", file, "time", "--lang", "fr").out


@pytest.mark.game("virus")
@pytest.mark.parametrize("kind", KINDS)
def test_a_plot_is_written_as_a_picture_with_a_title_and_names(run, file, tmp_path, kind):
    path = tmp_path / f"{kind}.svg"
    outcome = run("plot", file, kind, "--svg", path)
    assert outcome.out == f"written: {path}\n"
    root = ElementTree.fromstring(path.read_text("utf-8"))
    texts = " ".join(each.text for each in root.iter(f"{SVG}text"))
    assert root.find(f"{SVG}title").text in texts
    assert "ann <script>" in texts
    assert "prefers-color-scheme:dark" in root.find(f"{SVG}style").text


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pie"], "'pie': expected one of rating, cross, course, time"),
        (["--svg", "a.svg"], "name its kind"),
        (["time", "--svg", "no/such.svg"], "there is no folder"),
    ],
)
def test_what_cannot_be_plotted_is_refused(run, file, arguments, said):
    outcome = run("plot", file, *arguments)
    assert outcome.code == 2
    assert said in outcome.err


@pytest.mark.game("virus")
@pytest.mark.parametrize("kind", KINDS)
def test_long_names_are_told_apart_in_a_terminal(tmp_path, kind):
    names = [f"alphabeta?nodes=100&evaluation={each}" for each in ("learned", "earned", "hand")]
    bots = "".join(f'[[bots]]\nbot = "builtin:random"\nname = "{name}"\n' for name in names)
    printed = text_plot(made_up(tmp_path, bots.replace('random"', 'greedy"', 1)), kind)
    labels = [word for word in printed.split() if word.startswith("alpha")]
    assert len(set(labels)) == len(labels) == 3


@pytest.mark.game("virus")
def test_a_contest_without_a_game_has_nothing_to_plot(run, tmp_path):
    (tmp_path / "new.toml").write_text('bots = ["builtin:random", "builtin:greedy"]')
    outcome = run("plot", tmp_path / "new.toml")
    assert outcome.code == 2
    assert "no game counts yet" in outcome.err


@pytest.mark.game("virus")
def test_the_matrix_has_a_number_and_a_shade_for_each_meeting(eight, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    lines = text_plot(eight, CROSS).splitlines()
    first = next(line for line in lines if line.startswith("  1  bot a"))
    assert first.split()[3:] == ["-"] + ["█100"] * 7
    last = next(line for line in lines if line.startswith("  8  bot h"))
    assert last.split()[3:] == ["0"] * 7 + ["-"]


@pytest.mark.game("virus")
def test_a_narrow_terminal_shows_the_columns_there_is_room_for(eight, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    lines = text_plot(eight, CROSS).splitlines()
    assert max(len(line) for line in lines[1:-1]) <= 40
    assert "the first 4 of 8" in lines
    for kind in (RATING, TIME, COURSE):
        rows = [line for line in text_plot(eight, kind).splitlines() if line.startswith("bot")]
        assert max(len(row) for row in rows) <= 40


@pytest.mark.game("virus")
def test_bots_without_a_rating_are_named_with_the_reason(tmp_path):
    bots = '\nbots = ["builtin:greedy", "builtin:random?", "builtin:random"]\n[contest]\ngames = 40'

    def scores(seats, number):
        # `greedy` wins whatever it plays; the others share.
        if "greedy" in seats:
            return [1.0 if name == "greedy" else -1.0 for name in seats]
        return [1.0, -1.0] if number % 2 else [-1.0, 1.0]

    report = made_up(tmp_path, bots, scores)
    row = next(line for line in text_plot(report, RATING).splitlines() if "greedy" in line)
    assert "won every game against those rated" in row
    assert "won every game against those rated" in _words(picture(report, RATING))[1]


def test_a_long_name_keeps_both_its_ends():
    assert short("a name", 6) == "a name"
    told = distinct(["aaXbbbbbbb", "aaYbbbbbbb", "c"], 5)
    assert told == {"aaXbbbbbbb": "aaX…bb", "aaYbbbbbbb": "aaY…bb", "c": "c"}
    assert [short("bot of team 17", longest) for longest in (9, 6)] == [
        "bot \N{HORIZONTAL ELLIPSIS}m 17",
        "bot\N{HORIZONTAL ELLIPSIS}17",
    ]


@pytest.mark.game("virus")
def test_labels_of_lines_do_not_cover_each_other(tmp_path):
    report = made_up(tmp_path, EIGHT, lambda seats, number: [0.0, 0.0])
    root, _ = _words(picture(report, COURSE))
    labels = [each for each in root.iter(f"{SVG}text") if (each.text or "").startswith("bot")]
    heights = sorted(float(each.get("y")) for each in labels)
    assert len(heights) == 6
    assert min(below - above for above, below in pairwise(heights)) >= 12


@pytest.mark.game("virus")
def test_every_mark_of_a_picture_is_inside_of_it(eight):
    for kind in KINDS:
        root, _ = _words(picture(eight, kind))
        width, height = float(root.get("width")), float(root.get("height"))
        for each in root.iter():
            x, y = (float(each.get(key, each.get(f"c{key}", 0))) for key in "xy")
            assert 0 <= x <= width
            assert 0 <= y <= height
            for point in each.get("points", "").split():
                across, down = (float(part) for part in point.split(","))
                assert 0 <= across <= width
                assert 0 <= down <= height


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([3.2, 47.0], [0, 10, 20, 30, 40, 50]),
        ([-123, 456], [-200, -100, 0, 100, 200, 300, 400, 500]),
        ([5, 5], [4, 4.5, 5, 5.5, 6]),
        ([], [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
    ],
)
def test_a_scale_has_round_numbers_around_all_values(values, ticks):
    scale = even_scale(values)
    assert scale.ticks == pytest.approx(ticks)
    assert scale.place(scale.low) == 0
    assert scale.place(scale.high) == 1


def test_a_scale_of_powers_of_ten_has_zero_at_its_low_end():
    scale = log_scale([0.0, 0.3, 42.0])
    assert scale.ticks == pytest.approx([0.1, 1, 10, 100])
    assert scale.place(0.0) == 0
    assert scale.place(1.0) == pytest.approx(1 / 3)
    assert log_scale([]).ticks == [1, 10]
