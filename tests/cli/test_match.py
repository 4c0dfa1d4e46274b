import json
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from cli.apart import command, environment
from helpers import PATIENCE, wait_until

pytestmark = pytest.mark.game("virus")

SMALL = ["virus", "builtin:greedy", "builtin:random", "--param", "size=4", "--workers", "1"]

SLOW = """
def play(observation, clock):
    print("thinking", flush=True)
    while True:
        pass
"""


def test_a_match_prints_its_standings(run):
    outcome = run("match", *SMALL, "--games", 4, "--seed", "a 7")
    assert outcome.code == 0
    for word in ("rank", "bot", "beaten", "W-D-L", "score % [95%]", "ms per turn", "faults"):
        assert word in outcome.out
    assert "greedy" in outcome.out
    assert "--seed 'a 7'" in outcome.out  # as a shell takes it
    assert "\x1b" not in outcome.out


def test_the_same_seed_gives_the_same_games(run):
    first, second = (
        json.loads(run("match", *SMALL, "--games", 4, "--seed", 7, "--json").out) for _ in range(2)
    )
    assert len(first["games"]) == 4
    chains = [
        {game["identity"]: game["returns"] for game in each["games"]} for each in (first, second)
    ]
    assert chains[0] == chains[1]


@pytest.mark.game("tron")
def test_as_many_play_as_the_map_has_room_for_whatever_the_usual_map_has(run):
    bots = ["builtin:wall", "builtin:random"] * 3
    outcome = run("match", "tron", *bots, "--map", "eight", "--games", 6)
    assert outcome.code == 0


def test_records_are_kept_where_they_are_asked_for_and_are_true(run, tmp_path):
    outcome = run("match", *SMALL, "--records", tmp_path / "kept")
    assert outcome.code == 0
    assert len(list((tmp_path / "kept" / "records").glob("*.jsonl"))) == 2
    assert run("verify", tmp_path / "kept").code == 0


def test_a_fault_is_explained_below_the_table_with_the_way_to_see_it(run, tmp_path, failing_bot):
    outcome = run(
        *("match", "virus", failing_bot, "builtin:random", "--param", "size=4"),
        *("--workers", "1", "--records", tmp_path),
    )
    assert outcome.code == 0
    assert "failing: crash x" in outcome.out
    assert "RuntimeError: no idea" in outcome.out
    [told] = [line for line in outcome.out.splitlines() if "joute replay" in line]
    assert "no idea" in run(*told.split()[1:]).out


def test_a_game_that_is_not_known_is_told_before_a_bot_that_is_not(run):
    outcome = run("match", "chess", "no-such-bot", "builtin:random")
    assert outcome.code == 2 and "no game 'chess'" in outcome.err and "no-such" not in outcome.err


def test_names_are_never_cut(run, tmp_path):
    long = tmp_path / f"{'long' * 14}.py"
    long.write_text("def play(observation, clock):\n    return observation['legal'][0]\n")
    outcome = run("match", "virus", long, *SMALL[2:])
    assert long.stem in outcome.out


def test_a_person_plays_by_typing(run, monkeypatch):
    typed = iter(["nonsense", "a1"])
    asked = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return next(typed, "pass")

    monkeypatch.setattr("builtins.input", answer)
    outcome = run("match", "virus", "human", "builtin:random", "--param", "size=4", "--seed", 1)
    assert outcome.code == 0
    assert "'nonsense' is not an action" in outcome.out
    assert "a1 is not legal here" in outcome.out
    assert asked[0] == "human (0), your action: "


def test_a_person_and_a_document_do_not_share_the_terminal(run):
    asked = ("match", "virus", "human", "builtin:random", "--param", "size=3", "--json")
    for language, said in (("en", "where --json prints"), ("fr", "omettez l’un des deux")):
        outcome = run(*asked, "--lang", language)
        assert (outcome.code, outcome.out) == (2, "")
        assert said in outcome.err


def test_a_person_who_leaves_stops_the_match(run, monkeypatch):
    def leave(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", leave)
    outcome = run("match", "virus", "human", "builtin:random")
    assert outcome.code == 3
    assert "0 of 2 games played" in outcome.err


def is_hosted(bot: Path) -> bool:
    """Whether a process hosts the bot, which can leave no mark itself: it works in its folder."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it may end at any moment
            ours = b"host/child\0" in (process / "cmdline").read_bytes()
            if ours and (process / "cwd").readlink() == bot.parent:
                return True
    return False


@pytest.mark.parametrize("language", ["en", "fr"])
def test_ctrl_c_stops_a_match_with_code_3_and_says_how_to_go_on(tmp_path, language):
    bot = tmp_path / "slow.py"
    bot.write_text(SLOW, encoding="utf-8")
    process = subprocess.Popen(
        command("match", "virus", bot, "builtin:random", "--move-seconds", 3600),
        env=environment(JOUTE_LANG=language),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        wait_until(lambda: is_hosted(bot), what="the bot's start")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out) == (3, "")
    assert "Traceback" not in err
    assert {"en": "stopped with 0 of 2", "fr": "arrêté après 0 parties sur 2"}[language] in err


def test_a_parameter_that_is_given_twice_is_refused(run):
    outcome = run("match", *SMALL, "--param", "size=5")
    assert outcome.code == 2
    assert "--param size: it is given twice" in outcome.err


def test_a_match_that_is_stopped_prints_the_table_of_what_was_played(run, monkeypatch):
    from joute.contest.errors import Interrupted
    from joute.contest.run import match

    original = match.Coordinator.run

    def stopped(coordinator):
        original(coordinator)
        raise Interrupted(2, 8)

    monkeypatch.setattr(match.Coordinator, "run", stopped)
    asked = ("match", "virus", "builtin:greedy", "builtin:random", "--param", "size=4")
    asked += ("--games", "2", "--workers", "1", "--seed", "1")
    outcome = run(*asked)
    assert outcome.code == 3
    assert outcome.out.index("greedy") < outcome.out.index("2 games")
    assert "stopped with 2 of 8 games played" in outcome.err
    outcome = run(*asked, "--json")
    assert outcome.code == 3
    assert len(json.loads(outcome.out)["games"]) == 2
