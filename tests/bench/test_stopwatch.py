"""The parts of the stopwatch that need no clock: what a tutorial has people read and type."""

import sys

import pytest

from bench import stopwatch
from bench.tutorial import TutorialStep, person_seconds, steps, until

PAGE = """# A page

Write `a.py`:

```python
if True:
    pass
```

Now run it:

```console
$ joute new x
made x
$ joute check a.py  # exit code 1
```
"""


def test_a_page_is_files_to_write_and_commands_to_type():
    found = list(steps(PAGE))
    assert [(step.file, step.command, step.code) for step in found] == [
        ("a.py", "", 0),
        ("", "joute new x", 0),
        ("", "joute check a.py", 1),
        ("", "", 0),
    ]
    assert found[0].content == "if True:\n    pass\n"


def test_words_are_read_and_characters_typed_but_for_indentation():
    written, first, second, last = steps(PAGE)
    assert (written.read, written.typed) == (5, len("if True:\npass\n"))
    assert (first.read, first.typed) == (3, len("joute new x"))
    assert (second.read, second.typed) == (2, len("joute check a.py"))
    assert (last.read, last.typed) == (0, 0)


def test_a_person_reads_200_words_and_types_40_words_a_minute():
    assert person_seconds([TutorialStep(200, 0)]) == pytest.approx(60)
    assert person_seconds([TutorialStep(0, 40 * 5)]) == pytest.approx(60)


def test_a_tutorial_is_followed_up_to_a_command(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert until(page, "joute new")[-1].command == "joute new x"
    with pytest.raises(ValueError, match="no command 'joute serve'"):
        until(page, "joute serve")


def test_the_tutorials_have_the_steps_that_are_timed():
    contest = until(stopwatch.TUTORIALS / "first-contest.md", "joute contest run")
    names = [step.file for step in contest if step.file]
    assert names == ["contest.toml"]
    bot = until(stopwatch.TUTORIALS / "first-bot.md", stopwatch.AGAINST_GREEDY, 2)
    assert [step.file for step in bot if step.file] == ["bot.py"]


def test_files_are_written_commands_run_and_games_with_people_left_out(tmp_path):
    joute = tmp_path / "joute"
    joute.write_text(f"#!{sys.executable}\nimport sys\nsys.exit(sys.argv[1] == 'fail')\n")
    joute.chmod(0o755)
    (tmp_path / "x").mkdir()
    play = TutorialStep(0, 0, command="joute fail human")
    fails = TutorialStep(0, 0, command="joute fail", code=1)
    written = TutorialStep(0, 0, "a.py", "pass\n")
    inside = TutorialStep(0, 0, command="cd x")
    assert stopwatch.followed([play, fails, inside, written], joute, tmp_path, tmp_path) > 0
    assert (tmp_path / "x" / "a.py").read_text() == "pass\n"
    with pytest.raises(RuntimeError, match="joute fail"):
        stopwatch.followed([fails._replace(code=0)], joute, tmp_path, tmp_path)


@pytest.mark.game("virus", "love-letter")
def test_a_seed_is_found_with_which_the_bot_begins_and_a_weak_bot_that_plays():
    assert stopwatch.first_seed("virus").isdecimal()
    assert stopwatch.weak("virus") == "builtin:greedy"
    assert stopwatch.weak("love-letter") == "builtin:random"


def test_a_time_within_its_aim_meets_it():
    assert stopwatch.row("cold: a board", 2.0, 3.0).met
    assert not stopwatch.row("cold: a board", 4.0, 3.0).met
