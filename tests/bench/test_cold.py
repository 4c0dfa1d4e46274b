"""The bench of cold champions compares with the sources of an earlier commit."""

from bench import cold


def test_half_the_seconds_of_before_meet_the_aim_and_more_do_not():
    assert cold.row("nim", 5.0, 10.0, "abc").met
    assert not cold.row("nim", 6.0, 10.0, "abc").met
    assert cold.row("nim", 5.0, 10.0, "abc").ratio == 2.0


def test_without_the_earlier_commit_the_seconds_stand_alone():
    row = cold.row("nim", 5.0, None, "abc")
    assert (row.value, row.ratio, row.met) == (5.0, None, None)
    assert "abc" in row.against


def test_a_commit_that_is_not_there_has_no_sources(tmp_path):
    assert cold.sources_of("no-such-commit", tmp_path) is None


def test_games_that_are_named_are_measured_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(cold, "sources_of", lambda commit, folder: tmp_path)
    monkeypatch.setattr(
        cold, "cold_seconds", lambda game, sources: 9.0 if sources == tmp_path else 3.0
    )
    assert [(each.name, each.ratio) for each in cold.rows("virus")] == [
        ("cold champion, virus", 3.0)
    ]


def test_what_is_left_with_a_full_cache_does_not_count_as_compiling(monkeypatch):
    caches = []

    def seconds(game, sources, bot, cache):
        caches.append(cache)
        return 5.0 if len(caches) == 1 else 2.0

    monkeypatch.setattr(cold, "_seconds", seconds)
    assert cold.cold_seconds("virus", cold.SOURCES) == 3.0
    assert caches[0] == caches[1]


def test_the_seconds_are_those_of_a_process_that_has_a_bot_choose(tmp_path):
    assert cold._seconds("virus", cold.SOURCES, "builtin:random", str(tmp_path)) > 0
