"""`joute carry` writes a player for the engine of a game's original contest, or says why not."""

import pytest

from joute.core.registry import cards


def contests():
    return [card.name for card in cards() if card.file("participant")]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", contests())
def test_every_contest_gets_python_files_that_name_the_bot(run, tmp_path, game, language):
    folder = tmp_path / "new" / "mine"
    done = run("carry", game, "builtin:random", folder, "--lang", language)
    assert (done.code, done.err) == (0, "")
    assert "pip install joute" in done.out and str(folder) in done.out
    texts = [path.read_text(encoding="utf-8") for path in folder.iterdir()]
    assert any('"builtin:random"' in text for text in texts)
    for path, text in zip(folder.iterdir(), texts, strict=True):
        compile(text, path, "exec")
        assert not {"BOT", "ABOUT", "NAME"} & set(text.split())


@pytest.mark.game("virus")
def test_no_file_has_the_name_of_a_module_of_python(run, tmp_path):
    folder = tmp_path / "mine"
    done = run("carry", "virus", "builtin:random", folder)
    assert [path.name for path in folder.iterdir()] == ["joute_random.py"]
    assert "python main.py joute_random ia1" in done.out


@pytest.mark.game("virus", "love-letter", "paradise", "tron")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("love-letter", "builtin:champion"), "love-letter has no original contest"),
        (("virus", "hosted:builtin:greedy"), "hosted:builtin:greedy is not built in"),
        (("virus", "program:true"), "program:true is not built in"),
        (("virus", "human"), "human is not built in"),
        (("virus", "builtin:nobody"), "'nobody'"),
        (("virus", "builtin:champion?size=3"), "has no option 'size'"),
        (("virus", "builtin:wall"), "plays"),
        (("paradise", "builtin:utbm-peek"), "utbm"),
        (("chess-of-nobody", "builtin:champion"), "chess-of-nobody"),
    ],
)
def test_what_cannot_be_carried_is_refused_and_nothing_is_written(run, tmp_path, asked, said):
    folder = tmp_path / "mine"
    done = run("carry", *asked, folder)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not folder.exists()


@pytest.mark.game("virus")
@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_what_is_there_is_not_touched(run, tmp_path, kind):
    place = tmp_path / "mine"
    {
        "folder": place.mkdir,
        "file": place.touch,
        "link": lambda: place.symlink_to(tmp_path / "nowhere"),
    }[kind]()
    done = run("carry", "virus", "builtin:greedy", place)
    assert done.code == 2
    assert f"{place} is there already" in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["mine"]
