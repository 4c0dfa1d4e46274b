"""The sheet games-from-outside is true: its game, its commands, and what it quotes of the laws."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli.apart import environment
from helpers import games_forgotten

from joute.cli.main import main
from joute.core import registry
from joute.i18n.words import LANGUAGES, catalog
from joute.library.checking import Speed, check_game

DOCS = Path(__file__).parents[2] / "docs"
SHEETS = {each: (DOCS / each / "games-from-outside.md").read_text("utf-8") for each in LANGUAGES}
SHEET = SHEETS["en"]
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", SHEET, re.MULTILINE | re.DOTALL)
[PIG] = [text for language, text in BLOCKS if language == "python"]
SHOWN = [text for language, text in BLOCKS if language == "text"]
COMMANDS = [
    line
    for language, text in BLOCKS
    if not language
    for line in text.splitlines()
    if not line.startswith(("joute play", "joute serve", "pip", "python", "joute match my-nim"))
]
"""The lines for a shell, but those that wait for somebody and those that need an installation."""
LAWS = [key for key in catalog("en") if key.startswith("error.law.")]
QUOTED = {
    language: re.findall(r"^\|[^|]*\| `(.+)` \|$", re.split(r"\| (?:law|loi) \|", text)[1], re.M)
    for language, text in SHEETS.items()
}


def pattern(sentence):
    """A pattern of all that a sentence of the catalogs may say."""
    return re.compile(re.sub(r"\\\{.*?\\\}", ".+", re.escape(sentence)))


@pytest.fixture
def pig(tmp_path, monkeypatch):
    """The file of the game of the sheet."""
    monkeypatch.chdir(tmp_path)
    with games_forgotten():
        Path("pig.py").write_text(PIG, "utf-8")
        yield Path("pig.py")


def test_the_game_of_the_sheet_obeys_the_laws(pig):
    found = list(check_game(registry.make("./pig.py"), seconds=0.2))
    assert [type(each) for each in found] == [Speed], found


def test_a_broken_law_is_shown_as_the_sheet_shows_it(pig, capsys):
    pig.write_text(PIG.replace("    return 2\n", "    return 0\n"), "utf-8")
    assert main(["game", "check", "./pig.py", "--seconds", "0.1"]) == 1
    assert capsys.readouterr().out.replace(f"{pig.resolve()}", "pig.py") == SHOWN[0]


@pytest.mark.full
def test_the_commands_of_the_sheet_work(pig):
    script = "\n".join(COMMANDS).replace("game check", "game check --seconds 0.1")
    script = script.replace("./pig.py", f"{pig.resolve()}")
    script = re.sub(r"builtin:(uct|ismcts)", r"builtin:\1?seconds=0.01", script)
    shell = f'set -e\njoute() {{ {sys.executable} -m joute "$@"; }}\n{script}\n'
    done = subprocess.run(
        ["/bin/bash", "-c", shell], env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "joute game check" in script and "joute match" in script


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_quoted_sentence_is_one_that_is_said(language):
    laws = [pattern(catalog(language)[key]) for key in LAWS]
    said = [quoted for quoted in QUOTED[language] if any(law.fullmatch(quoted) for law in laws)]
    assert said == QUOTED[language]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("law", LAWS)
def test_every_law_has_an_example_in_the_sheet(law, language):
    said = pattern(catalog(language)[law])
    assert any(said.fullmatch(quoted) for quoted in QUOTED[language])
