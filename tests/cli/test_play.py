"""Games of people, their lines typed by a script; what they type is in a test of its own."""

import io
from pathlib import Path

import pytest

from joute.play.record import read_record

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
SMALL = ("--param", "size=4", "--seed", 2)  # player 1 starts


@pytest.fixture
def typed(run, monkeypatch, tmp_path):
    """Runs `joute play` with these lines as what is typed; then the input ends."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def play(lines, *arguments):
        left = iter(lines)
        prompts = []

        def answer(prompt: str) -> str:
            prompts.append(prompt)
            print(prompt, end="")
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        outcome = run("play", *arguments)
        play.prompts = prompts
        return outcome

    return play


def kept(tmp_path) -> list[Path]:
    return sorted((tmp_path / "data" / "joute" / "games").glob("*.jsonl"))


def actions(path) -> list[str]:
    return [line["text"] for line in read_record(path.read_bytes()).plies if "action" in line]


@pytest.mark.game("virus")
def test_a_game_against_a_bot_ends_in_words_and_with_a_true_record(typed, run, tmp_path):
    outcome = typed(["b1"] + ["pass"] * 99, "virus", "human:Ann", "builtin:greedy", *SMALL)
    assert outcome.code == 0
    assert "greedy wins, " in outcome.out
    [path] = kept(tmp_path)
    assert f"joute replay {path}" in outcome.out
    assert [bot["name"] for bot in read_record(path.read_bytes()).header["bots"]] == [
        "Ann",
        "greedy",
    ]
    assert run("verify", path).code == 0


@pytest.mark.game("virus")
def test_the_board_the_last_action_the_points_and_whose_turn_it_is_are_shown(typed):
    out = typed(["resign"], "virus", "human:Ann", "builtin:greedy", *SMALL).out
    assert "1 0 .(1)1" in out  # the last stone in brackets
    assert "2. greedy  c1" in out
    assert ">  0  Ann     2 points" in out
    assert "   1  greedy  3 points" in out
    assert "Ann (0), your action: " in out


def test_nothing_but_text_goes_to_what_is_no_terminal(typed):
    outcome = typed(["legal", "nonsense", "resign"], "virus", "human", "builtin:random", *SMALL)
    assert "\x1b" not in outcome.out + outcome.err


@pytest.mark.game("virus")
def test_wrong_input_is_explained_with_what_is_legal(typed):
    out = typed(["nonsense", "a1", "", "resign"], "virus", "human", "builtin:greedy", *SMALL).out
    assert "'nonsense' is not an action: expected a cell from 'a1' to 'd4', or 'pass'" in out
    assert "a1 is not legal here\nlegal: b1 a2 b2 c3 d3 c4 pass\n" in out
    assert "Type an action, or: help" in out


@pytest.mark.game("virus")
def test_legal_actions_are_listed_and_shown_on_the_board(typed):
    out = typed(["legal", "resign"], "virus", "human", "builtin:greedy", *SMALL).out
    assert "1 0 +(1)1" in out
    assert "legal: b1 a2 b2 c3 d3 c4 pass" in out


@pytest.mark.game("virus")
def test_help_names_the_commands_in_both_languages(typed):
    game = ("virus", "human", "builtin:greedy", *SMALL)
    english = typed(["?", "resign"], *game).out
    french = typed(["aide", "abandonner"], *game, "--lang", "fr").out
    for word in ("help, ?", "legal", "undo", "hint", "board", "resign", "quit"):
        assert word in english
    for word in ("aide", "légal", "annuler", "conseil", "plateau", "abandonner", "quitter"):
        assert word in french
    assert "humain (0), votre action\u202f: " in french
    assert "greedy gagne\u202f: humain a abandonné." in french


@pytest.mark.game("virus")
def test_the_board_is_shown_again_on_request(typed):
    out = typed(["board", "resign"], "virus", "human", "builtin:greedy", *SMALL).out
    assert out.count("a b c d") == 3  # twice, and at the end


@pytest.mark.game("virus")
def test_a_hint_names_a_bot_and_a_legal_action(typed):
    out = typed(["hint", "resign"], "virus", "human", "builtin:greedy", *SMALL).out
    [line] = [line for line in out.splitlines() if line.startswith("Hint (champion): ")]
    assert line.split()[-1] in ("b1", "a2", "b2", "c3", "d3", "c4", "pass")


@pytest.mark.game("virus")
def test_undo_goes_back_to_the_last_own_decision(typed, run, tmp_path):
    lines = ["b1", "undo", "b2", *["pass"] * 99]
    outcome = typed(lines, "virus", "human", "builtin:greedy", *SMALL)
    assert outcome.code == 0
    [path] = kept(tmp_path)
    assert actions(path)[:3] == ["player 1 starts", "c1", "b2"]
    assert run("verify", path).code == 0


@pytest.mark.game("virus")
def test_undo_can_be_repeated_until_nothing_is_left(typed, tmp_path):
    lines = ["b1", "pass", "undo", "undo", "undo", "resign"]
    out = typed(lines, "virus", "human", "builtin:greedy", *SMALL).out
    assert "there is nothing to undo" in out
    assert actions(kept(tmp_path)[0]) == ["player 1 starts", "c1"]


@pytest.mark.game("virus")
def test_in_hot_seat_undo_takes_one_ply_back(typed, tmp_path):
    lines = ["c1", "b1", "undo", "b2", "resign"]
    out = typed(lines, "virus", "human:Ann", "human:Bob", *SMALL).out
    assert typed.prompts == [
        "Bob (1), your action: ",
        "Ann (0), your action: ",
        "Bob (1), your action: ",
        "Ann (0), your action: ",
        "Bob (1), your action: ",
    ]
    assert actions(kept(tmp_path)[0]) == ["player 1 starts", "c1", "b2"]
    assert "Ann wins: Bob has resigned." in out


@pytest.mark.game("virus")
def test_people_without_names_are_numbered(typed):
    out = typed(["resign"], "virus", "human", "human", *SMALL).out
    assert "human 1" in out
    assert "human 2" in out


@pytest.mark.game("virus")
def test_who_resigns_has_lost_and_the_record_says_so(typed, tmp_path, run):
    outcome = typed(["resign"], "virus", "human", "builtin:greedy", *SMALL)
    assert outcome.code == 0
    assert "greedy wins: human has resigned." in outcome.out
    [path] = kept(tmp_path)
    end = read_record(path.read_bytes()).end
    assert (end["ending"], end["returns"]) == ("resignation", [-1.0, 1.0])
    assert run("verify", path).code == 0


@pytest.mark.game("virus")
@pytest.mark.parametrize("last", [["quit"], ["q"], []])
def test_who_leaves_gets_code_3_and_no_record(typed, tmp_path, last):
    outcome = typed(["b1", *last], "virus", "human", "builtin:greedy", *SMALL)
    assert outcome.code == 3
    assert outcome.err == "joute: left; the game is not kept\n"
    assert kept(tmp_path) == []


@pytest.mark.game("virus")
def test_a_draw_is_called_a_draw(typed):
    out = typed(["pass", "pass", "pass"], "virus", "human", "human", *SMALL).out
    assert "A draw, 2 points to 2." in out


@pytest.mark.game("virus")
def test_a_bot_that_forfeits_is_said_to(typed, tmp_path):
    bot = tmp_path / "broken.py"
    bot.write_text("import nothing_of_this_name\n\n\ndef play(observation, clock):\n    return 0\n")
    outcome = typed([], "virus", "human:Ann", bot, *SMALL)
    assert outcome.code == 0
    assert "Ann wins: broken has forfeited the game." in outcome.out


@pytest.mark.game("virus")
def test_what_was_played_for_a_bot_that_failed_is_said(typed, failing_bot):
    out = typed(["resign"], "virus", "human", failing_bot, *SMALL).out
    assert "2. failing  passes (played for it: crash)" in out


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_of_rules_alone_is_played_by_its_path(typed, run, tmp_path, language):
    game, spoken = EXAMPLES / "connect_four.py", ("--lang", language)
    lines = ["3", "legal", "help", "hint", "log", "resign"]
    outcome = typed(lines, game, "human:Ann", "builtin:random", *spoken)
    assert (outcome.code, outcome.err) == (0, "")
    assert "Connect Four" in outcome.out
    assert {"en": "legal: 0 1 2 3 4 5 6", "fr": "légal\u202f: 0 1 2 3 4 5 6"}[
        language
    ] in outcome.out
    [path] = kept(tmp_path)
    assert path.name.startswith("connect-four-")
    assert run("verify", path, *spoken).code == 0
    assert "Connect Four" in run("games", game, *spoken).out


@pytest.mark.game("virus")
def test_bots_alone_play_to_the_end(typed):
    outcome = typed([], "virus", "builtin:random", "builtin:greedy", *SMALL)
    assert outcome.code == 0
    assert " wins, " in outcome.out


@pytest.mark.game("virus")
def test_a_record_goes_to_the_file_or_folder_asked_for_and_replaces_none(typed, tmp_path):
    game = ("virus", "human", "builtin:greedy", *SMALL)
    file, folder = tmp_path / "here" / "mine.jsonl", tmp_path / "there"
    typed(["resign"], *game, "--record", file)
    typed(["resign"], *game, "--record", file)
    typed(["resign"], *game, "--record", folder)
    assert sorted(path.name for path in file.parent.iterdir()) == ["mine-2.jsonl", "mine.jsonl"]
    assert [path.suffix for path in folder.iterdir()] == [".jsonl"]
    assert kept(tmp_path) == []


@pytest.mark.game("virus")
def test_a_record_that_cannot_be_kept_is_told_before_the_game(typed, tmp_path):
    (tmp_path / "file").write_text("no folder")
    outcome = typed(["resign"], "virus", "human", "human", "--record", tmp_path / "file" / "below")
    assert outcome.code == 2
    assert str(tmp_path / "file") in outcome.err
    assert typed.prompts == []


@pytest.mark.game("virus")
def test_the_same_seed_gives_the_same_draws(typed, tmp_path):
    game = ("virus", "human", "builtin:random", "--param", "size=4", "--seed", "any text")
    typed(["resign"], *game)
    typed(["resign"], *game)
    first, second = (actions(path) for path in kept(tmp_path))
    assert first == second


@pytest.mark.game("tron")
def test_tron_is_played_by_the_beginnings_of_words_in_both_languages(typed, tmp_path, run):
    lines = ["up", "HAUT", "g", "u", "undo", "resign"]
    outcome = typed(lines, "tron", "human", "builtin:random", "--map", "duel", "--lang", "fr")
    assert outcome.code == 0
    assert outcome.out.startswith("Tron · duel\n")
    assert "on connaîtrait les choix des autres" in outcome.out
    [path] = kept(tmp_path)
    plies = read_record(path.read_bytes()).plies
    own = [line["text"] for line in plies if line.get("player") == 0 and "text" in line]
    assert own == ["up", "up", "left", "up"]
    assert run("verify", path).code == 0


@pytest.mark.game("tron")
def test_alone_in_tron_a_move_can_be_taken_back_and_the_moves_are_counted(typed, tmp_path):
    outcome = typed(["up", "undo", "right", "resign"], "tron", "human:Ann", "--map", "workshop")
    assert "Ann: 1 point." in outcome.out
    assert actions(kept(tmp_path)[0]) == ["right"]


@pytest.mark.game("tron")
def test_with_more_than_two_the_game_goes_on_without_who_resigns(typed):
    players = ("human:Ann", "builtin:random", "builtin:random")
    out = typed(["up", "resign"], "tron", *players, "--map", "square", "--seed", 1).out
    places = [line for line in out.splitlines() if line[:2] in {"1.", "2.", "3."}]
    assert len(places) == 3
    assert places[-1].startswith("3. Ann: ")


@pytest.mark.game("tron")
def test_in_tron_a_wall_is_no_action_to_type(typed):
    out = typed(["up", "down", "resign"], "tron", "human", "builtin:random", "--map", "duel").out
    assert "down is not legal here\nlegal: left up right" in out


WRONG = [
    (("chess", "human", "human"), "chess"),
    (("virus", "human"), "virus has 2 seats, got 1"),
    (("virus", "human", "nobody.py"), "nobody.py"),
    (("virus", "human", "builtin:nobody"), "nobody"),
    (("virus", "human", "builtin:greedy", "--param", "size=99"), "99"),
    (("virus", "human", "builtin:greedy", "--map", "duel"), "virus has no maps"),
    (("tron", "human", "builtin:random", "--map", "dual"), "duel"),
    (("virus", "human", "builtin:greedy", "--live"), "virus is played in turns"),
    (("tron", "human", "builtin:random", "--live"), "needs a terminal"),
    (("tron", "human", "human", "human", "--live"), "at most 2 people"),
    (("tron", "human", "builtin:random", "--speed", "0"), "0.1"),
    (("virus",), "SEAT..."),
]


@pytest.mark.parametrize(("arguments", "named"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_use_is_told_before_anything_starts(typed, tmp_path, arguments, named):
    outcome = typed(["pass"], *arguments)
    assert outcome.code == 2
    assert named in outcome.err
    assert outcome.out == ""
    assert typed.prompts == []
    assert kept(tmp_path) == []


@pytest.mark.game("virus")
def test_a_match_asks_in_the_same_way(run, monkeypatch):
    lines = iter(["nonsense", "?", "undo"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines, "pass"))
    outcome = run("match", "virus", "human", "builtin:random", "--param", "size=4")
    assert outcome.code == 0
    assert "'nonsense' is not an action" in outcome.out
    assert "there is nothing to undo" in outcome.out


@pytest.mark.parametrize(
    ("answer", "again"),
    [
        ("y", True),
        ("YES", True),
        ("n", False),
        ("", False),
        (EOFError, False),
        (KeyboardInterrupt, False),
    ],
)
def test_another_game_is_played_only_on_a_clear_yes(monkeypatch, answer, again):
    from joute.cli import play, terminal

    class Keyboard(io.StringIO):
        def isatty(self):
            return True

    def reply(prompt: str) -> str:
        if isinstance(answer, str):
            return answer
        raise answer

    monkeypatch.setattr("sys.stdin", Keyboard())
    monkeypatch.setattr("sys.stdout", Keyboard())
    monkeypatch.setattr(terminal, "forget_keys", lambda: None)
    monkeypatch.setattr("builtins.input", reply)
    assert play._again() is again
