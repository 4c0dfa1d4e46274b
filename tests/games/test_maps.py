"""The maps that a game brings in its folder."""

from joute.core import registry
from joute.core.maps import find_map, shipped

TEXT = "3 1\n1 2\n"
FIELDS = """
from joute.core.card import Card

CARD = Card(name="fields", rules="")
"""


def test_a_game_by_its_path_has_the_maps_of_its_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    game = tmp_path / "fields"
    (game / "maps").mkdir(parents=True)
    (game / "__init__.py").write_text(FIELDS)
    (game / "maps" / "own.txt").write_text(TEXT)
    (game / "maps" / "README.md").write_text("no map")
    assert shipped(str(game)) == ["own"]
    assert find_map(str(game), "own") == TEXT
    registry.card(str(game))
    assert find_map("fields", "own") == TEXT
