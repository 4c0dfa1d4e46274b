"""A program writes a bot by nothing but AGENTS.md and the JSON of commands."""

import json

import pytest
from cli.scripted_author import ScriptedAuthor

from joute.core.registry import names

SMALL = ("--param", "size=4", "--move-seconds", "0.1", "--workers", "1")
JUDGE = "builtin:alphabeta?depth=5"
ROUNDS = 5
ORDER = ["check", "match", "mistakes", "explain", "promote", "ladder"]


@pytest.mark.game("virus")
@pytest.mark.full
def test_an_author_that_knows_no_game_goes_from_the_template_to_beating_greedy(run, tmp_path):
    project = tmp_path / "mine"
    run("new", project, "--game", "virus")
    author = ScriptedAuthor(project, run)
    code, findings = author.asked("check")
    assert code == 0 and all(each["ok"] for each in findings)
    learnt = [author.improve(f"round-{each}", JUDGE, *SMALL) for each in range(ROUNDS)]
    assert sum(learnt) > 0
    code, verdict = author.asked("promote", "--seed", "old", *SMALL)
    assert (code, verdict["verdict"]) == (0, "promote"), verdict
    code, verdict = author.asked("promote", "--seed", "greedy", *SMALL, OLD="builtin:greedy")
    assert (code, verdict["verdict"]) == (0, "promote"), verdict
    assert verdict["test"]["score"] > 0.5 and verdict["test"]["pairs"] <= 100
    code, climbed = author.asked("ladder", "--seed", "ladder", "--max-games", "8", *SMALL)
    assert code == 1 and climbed["games"] <= 8 and climbed["cpu_seconds"] < 120
    assert climbed["rungs"] and climbed["reached"] <= climbed["of"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_names_the_commands_of_its_game_in_the_order_of_the_loop(run, tmp_path, language):
    for game in names():
        project = tmp_path / game
        run("new", project, "--game", game, "--lang", language)
        page = (project / "AGENTS.md").read_text(encoding="utf-8")
        block = page.split("```")[1].strip().splitlines()
        assert [line.split()[1] for line in block] == ORDER
        assert all(line.startswith("joute ") and line.endswith(" --json") for line in block)
        assert f"joute match {game} bot.py builtin:" in page
        assert not any(word in page for word in ("GAME", "BOT --json", "OPPONENT", "JUDGE"))


@pytest.mark.game("virus")
def test_explain_gives_what_the_player_is_shown(run):
    outcome = run(
        "explain", "virus", "player 0 starts", "--bot", "builtin:alphabeta?depth=1", "--json"
    )
    told = json.loads(outcome.out)
    assert told["observation"]["legal"] and told["observation"]["to_move"] == told["player"]
