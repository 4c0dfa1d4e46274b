import json

from joute.games import names


def test_games_lists_every_game_with_its_parameters_and_properties(run):
    outcome = run("games")
    assert outcome.code == 0
    for name in names():
        assert name in outcome.out
    for text in ("size=10", "voluntary_pass=true", "players", "zero-sum", "plies, at most"):
        assert text in outcome.out


def test_games_can_show_one_and_speak_french(run):
    outcome = run("games", "virus", "--lang", "fr")
    assert "joueurs" in outcome.out
    assert "à somme nulle" in outcome.out


def test_games_as_json_have_what_a_program_needs(run):
    [virus] = [each for each in json.loads(run("games", "--json").out) if each["name"] == "virus"]
    assert virus["parameters"] == {"size": 10, "voluntary_pass": True}
    assert virus["players"] == 2
    assert virus["opening_plies"] == [2, 4]


def test_doctor_names_versions_machine_cache_store_and_limits(run, tmp_path, monkeypatch):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path / "not" / "there" / "yet"))
    outcome = run("doctor")
    assert outcome.code == 0
    for name in ("Python", "joute", "numba", "numpy", "cores", "memory", "database"):
        assert name in outcome.out
    assert "not/there/yet  ok" in outcome.out
    assert "a bot's memory" in outcome.out


def test_doctor_as_json_is_the_same_list(run):
    found = {each["key"]: each for each in json.loads(run("doctor", "--json").out)}
    assert int(found["cores"]["value"]) >= 1
    assert found["store"]["ok"] is True


def test_doctor_fails_where_compiled_code_cannot_be_kept(run, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("JOUTE_CACHE", str(blocked / "cache"))
    outcome = run("doctor")
    assert outcome.code == 1
    assert "failed" in outcome.out
