"""The names of bots that are given none."""

from pathlib import Path

import pytest

from joute.contest.config.config import origins, resolve
from joute.contest.config.default_names import default_name, default_names
from joute.contest.run.playing import Folder


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        ("Dupont Martin.py", "Dupont Martin"),
        ("15 élève ñ 猫.py", "15 élève ñ 猫"),
        ("Jose\u0301.py", "José"),
        ("a" * 60 + ".py", "a" * 60),
        ("a" * 31 + " " + "b" * 30 + ".py", f"{'a' * 29}…{'b' * 30}"),
        ("bots/Team A bot.zip", "Team A bot"),
        ("function:Team A bot.py", "Team A bot"),
        ("program:python3 mine.py --fast", "mine"),
        ("program:./mine deep", "mine"),
        ("builtin:greedy", "greedy"),
        ("llm:http://localhost:11434/v1#qwen3:8b?tries=2", "qwen3:8b"),
        ("llm:", "bot"),
        (" .py", "bot"),
        ("handed-in/Zoé Petit_103_assignsubmission_file_", "Zoé Petit"),
        ("handed-in/Zoé Petit_103_assignsubmission_file_my.zip", "Zoé Petit"),
        ("handed-in/Zoé Petit_103_assignsubmission_file_/project/main.py", "Zoé Petit"),
        ("_103_assignsubmission_file_my.zip", "bot"),
    ],
)
def test_only_a_program_s_command_is_cut_at_spaces_for_its_name(bot, name):
    assert default_name(bot) == name


@pytest.mark.parametrize("kind", ["file", "onlinetext"])
@pytest.mark.parametrize("rest", ["", "_", "/bot.py", "_/bot.py", "_bot.py", "/src/main.py"])
def test_what_moodle_has_collected_is_named_after_the_person_in_all_its_forms(kind, rest):
    assert default_name(f"class/DURAND Zoé_101_assignsubmission_{kind}{rest}") == "DURAND Zoé"


@pytest.mark.parametrize(
    ("bots", "names"),
    [
        (["alice/bot.py", "bob/bot.py", "mine.py"], ["alice", "bob", "mine"]),
        (["alice/src/main.py", "bob/src/main.py"], ["alice", "bob"]),
        (["alice/bot.py", "bot.py"], ["alice", "bot"]),
        (["../bot.py", "bot.py"], ["desk", "bot"]),
        (["function:alice/bot.py", "/home/bob/bot.py"], ["alice", "bob"]),
        (["program:python3 alice/bot.py 3", "program:bob/bot --fast"], ["alice", "bob"]),
        (["alice/bot.py", "alice/bot.py", "bob/bot.py"], ["bot", "bot", "bot"]),
        (
            ["A B_1_assignsubmission_file_/bot.py", "C D_2_assignsubmission_file_/bot.zip"],
            ["A B", "C D"],
        ),
        (
            ["A B_1_assignsubmission_file/bot.py", "C D_2_assignsubmission_file/bot.py"],
            ["A B", "C D"],
        ),
        (["builtin:greedy", "builtin:greedy"], ["greedy", "greedy"]),
        (["llm:http://a:1/v1#m", "llm:http://b:1/v1#m"], ["m", "m"]),
        ([" /bot.py", "alice/bot.py"], ["bot", "alice"]),
        (["a" * 99 + "/bot.py", "b/bot.py"], [f"{'a' * 29}…{'a' * 30}", "b"]),
        (
            [
                f"équipe de la faculté des sciences de l’université de Montréal-groupe-{each}.py"
                for each in "AB"
            ],
            [f"équipe de la faculté des scie…niversité de Montréal-groupe-{each}" for each in "AB"],
        ),
    ],
)
def test_files_of_one_name_are_named_after_the_folders_they_differ_by(tmp_path, bots, names):
    assert default_names(bots, tmp_path / "desk" / "contest") == names


@pytest.mark.game("virus")
def test_who_has_played_keeps_its_name_when_another_file_of_that_name_comes(tmp_path):
    for name in ("alice", "bob", "eve"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(f"def play(observation, clock): return 0  # {name}")
    file = tmp_path / "cup.toml"

    def resolved(*bots):
        file.write_text(f"bots = {[*bots, 'builtin:random']}\n")
        return resolve(file)

    def named(contest):
        return [bot.name for bot in contest.bots]

    with Folder(Path(resolved("alice/bot.py").folder)) as folder:
        folder.keep_configuration(resolved("alice/bot.py"), "seed")
    both = resolved("alice/bot.py", "bob/bot.py")
    assert named(both) == ["bot", "bob", "random"]
    shown = {each.key: each.value for each in origins(file)}
    assert [shown[f"bots[{number}].name"] for number in (1, 2)] == ["bot", "bob"]
    with Folder(Path(both.folder)) as folder:
        folder.keep_configuration(both, "seed")
    assert named(resolved("eve/bot.py", "bob/bot.py", "alice/bot.py"))[:3] == ["eve", "bob", "bot"]
    file.write_text(
        'bots = [{bot = "alice/bot.py", name = "alice"}, "bob/bot.py", "builtin:random"]\n'
    )
    assert named(resolve(file)) == ["alice", "bob", "random"]
