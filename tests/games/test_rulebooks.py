"""The rules of each game for people: short, in every language, with drawings that can be drawn."""

import re

import pytest
from games.outside import EXAMPLES
from games.rulebooks import DOCS, sheet
from helpers import games_forgotten

from joute.cli.rules import rules_lines
from joute.core.card import Card
from joute.core.errors import GameError
from joute.core.interface import legal_actions, mover, points
from joute.core.registry import card, cards, names
from joute.i18n.words import LANGUAGES, speaking
from joute.play.rulebook import Illustration, Items, Paragraph, drawn, rulebook
from joute.text import plain
from joute.web.rulebooks import drawings, texts

SENTENCE = re.compile(r"[.!?]+(?=\s|$)")
OWN = [each.name for each in cards() if each.file("rulebook")]


def parts(game, language, kind):
    with speaking(language):
        return [part for part in rulebook(card(game)).parts if isinstance(part, kind)]


def words(game, language):
    """All that is to be read in the rules of a game."""
    lines = [part.words for part in parts(game, language, Paragraph)]
    lines += [item for part in parts(game, language, Items) for item in part.words]
    lines += [part.caption for part in parts(game, language, Illustration)]
    return [plain(line) for line in lines]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OWN)
def test_the_rules_are_told_in_five_to_eight_sentences(game, language):
    text = " ".join(plain(part.words) for part in parts(game, language, Paragraph))
    assert 5 <= len(SENTENCE.findall(text)) <= 8
    assert len(text) < 1500


@pytest.mark.parametrize("game", OWN)
def test_the_rules_have_three_drawings_the_same_in_every_language(game):
    found = [[p.name for p in parts(game, each, Illustration)] for each in LANGUAGES]
    assert all(each == found[0] for each in found)
    assert len(found[0]) == len(set(found[0])) == 3
    assert set(drawings(game)) == set(texts(game)) == set(found[0])


@pytest.mark.parametrize("game", OWN)
def test_every_drawing_of_the_file_is_shown(game):
    text = card(game).file("rulebook/drawings.toml").read_text("utf-8")
    listed = re.findall(r"(?m)^\[(\w+)\]", text)
    assert listed == [each.name for each in parts(game, "en", Illustration)]


@pytest.mark.parametrize("game", OWN)
def test_the_special_cases_are_as_many_in_every_language(game):
    found = [sum(len(p.words) for p in parts(game, each, Items)) for each in LANGUAGES]
    assert all(each == found[0] for each in found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OWN)
def test_the_rules_are_set_as_books_are(game, language):
    text = "\n".join(words(game, language))
    assert "'" not in text and '"' not in text and "  " not in text
    if language == "fr":
        assert not re.search(r"[^\u202f\d][:;!?»%]|«[^\u202f]", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", names())
def test_every_game_has_rules_as_text_that_fits_a_terminal(game, language):
    with speaking(language):
        lines = rules_lines(card(game), 70)
    assert len(lines) > 5
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OWN)
def test_the_sheet_of_a_game_tells_its_rules_as_they_are(game, language):
    text = (DOCS / language / f"{game}.md").read_text("utf-8")
    assert text == sheet(card(game), text, language), "run scripts/rulebooks"


@pytest.mark.game("virus")
def test_the_captions_of_virus_are_true():
    boxed, turned = (drawn(card("virus"), name) for name in ("boxed", "turned"))
    state = boxed.step.state
    assert legal_actions(boxed.game, state) == [25] and mover(boxed.game, state) == 0
    assert [int(points(boxed.game, state, seat)) for seat in (0, 1)] == [2, 14]
    assert 25 - 2 - 14 == 9
    [event] = turned.step.open
    assert (event["text"], event["turned"]) == ("c1", [[0, 3], [1, 2], [1, 3]])


@pytest.mark.game("vampires")
def test_the_chance_told_of_a_battle_is_that_of_the_rules():
    from joute.games.vampires.battle import odds

    battle = drawn(card("vampires"), "battle")
    attackers, defenders, _, chance = odds(battle.game, battle.step.state)
    assert (attackers, defenders) == (8, 9)
    assert f"{100 * chance / (2 * defenders):.0f} %" == "44 %"
    assert any("44\N{NARROW NO-BREAK SPACE}%" in text for text in words("vampires", "fr"))


@pytest.mark.game("love-letter")
def test_the_countess_must_be_played_in_her_drawing():
    countess = drawn(card("love-letter"), "countess")
    assert [action // 64 for action in countess.choices] == [8]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("[shown]\nactions = ['nowhere']", "nowhere"),
        ("[shown]\nactions = [", "rulebook/drawings.toml"),
        ("[shown]\naction = []", "action"),
        ("[other]", "there is no drawing of this name (drawings: other)"),
        ("[shown]\nactions = ['player 0 starts', 'e5']", "a legal action"),
        ("[shown]\nparameters = { size = 99 }", "size"),
    ],
)
@pytest.mark.game("virus")
def test_a_drawing_that_cannot_be_made_is_named_with_its_reason(tmp_path, table, reason):
    folder = tmp_path / "rulebook"
    folder.mkdir()
    (folder / "drawings.toml").write_text(table, encoding="utf-8")
    wrong = Card(name="virus", rules=card("virus").rules, package=card("virus").package)
    with pytest.raises(GameError) as caught:
        drawn(Card(**{**vars(wrong), "folder": tmp_path}), "shown")
    assert reason in str(caught.value) and "shown" in str(caught.value)


def test_the_first_paragraph_of_a_docstring_is_among_the_rules_even_with_a_colon(tmp_path):
    rules = (EXAMPLES / "connect_four.py").read_text("utf-8")
    begin = rules.index('"""') + 3
    told = "Four: in a line wins.\n\nAction: int, the column.\n\n"
    (tmp_path / "four.py").write_text(rules[:begin] + told + rules[begin:])
    with games_forgotten():
        lines = "\n".join(rules_lines(card(str(tmp_path / "four.py")), 80))
    assert "Four: in a line wins." in lines and "the column" not in lines
