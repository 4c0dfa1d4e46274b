"""TOML of strangers is read in a bounded time, and what is written is read back."""

import time
import tomllib

import pytest
from contest.test_presentation import cup
from hypothesis import given
from hypothesis import strategies as st

from joute.contest.config.config import resolve
from joute.contest.config.entries import LARGEST
from joute.contest.config.reading import toml_string
from joute.contest.errors import ConfigError
from joute.host.toml import MOST_PARTS, read_toml

PARTS = 20_000
BOMBS = {
    "dots": "a" + ".a" * PARTS + "=1",
    "quoted": '"a"' + '."a"' * PARTS + "=1",
    "single": "'a'" + " . 'a'" * PARTS + "=1",
    "header": "[a" + ".a" * PARTS + "]\n" + "".join(f"k{n}=1\n" for n in range(1000)),
    "tables": "[[a" + ".a" * PARTS + "]]",
    "inline": "x={a" + ".a" * PARTS + "=1}",
    "lists": "a=" + "[" * PARTS,
    "nested": "a=" + "{a=" * PARTS,
    "digits": "a=" + "9" * PARTS,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_would_take_long_is_refused_at_once(bomb):
    began = time.process_time()
    with pytest.raises(ValueError, match=r"."):
        read_toml(BOMBS[bomb])
    assert time.process_time() - began < 2.0, "seconds of CPU; unbounded it is ten and more"


@pytest.mark.parametrize(
    "long",
    ["x" * 200_000, '"' * 200_000, "' \"" * 70_000, "a " * 100_000, "a. " * 10 + "-" * 99_999],
)
def test_what_looks_for_long_keys_takes_no_time_itself(long):
    began = time.process_time()
    with pytest.raises(ValueError, match=r"."):
        read_toml(long)
    assert time.process_time() - began < 2.0


def test_keys_of_some_parts_and_texts_with_many_dots_are_read():
    key = ".".join("abcdefghijklmnop")
    assert len(key.split(".")) == MOST_PARTS and read_toml(f"{key} = 1")
    with pytest.raises(ValueError, match=r"more than 16 parts .at line 2"):
        read_toml(f"x = 1\n{key}.q = 1")
    text = 'map = """\n' + "#....#\n" * 99 + '"""\nsaid = "' + ". . . ." * 99 + '"\nsize = 1.5'
    assert read_toml(text)["size"] == 1.5


@pytest.mark.game("virus")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_contest_s_file_and_a_bot_s_own_are_refused_with_their_place(tmp_path, bomb):
    file = tmp_path / "cup.toml"
    file.write_text(BOMBS[bomb])
    with pytest.raises(ConfigError, match=r"cup.toml: is not valid TOML"):
        resolve(file)
    with pytest.raises(ConfigError, match=r"mine/joute.toml: (is not valid TOML|has more than)"):
        cup(tmp_path, BOMBS[bomb])


@pytest.mark.game("virus")
def test_a_bot_s_own_file_may_say_all_that_is_taken_and_not_more(tmp_path):
    names = ", ".join(f'"{chr(0x1F600 + n) * 60}"' for n in range(20))
    own = f'authors = [{names}]\ndescription = "{"😀" * 1000}"\nname = "{"é" * 60}"'
    assert cup(tmp_path, own, kind="zip").bots[0].description == "😀" * 1000
    with pytest.raises(ConfigError, match="has more than 4096 characters"):
        cup(tmp_path, own + "\n#" + "x" * LARGEST)


@pytest.mark.parametrize(
    "name",
    ["Zoé 😀", "Zoe\u0301", "עברית", "العربية", "\U0001d518", 'a"b\\c', "\x00\x1f\x7f\x85\u2028\n"],
)
def test_any_text_is_read_back_as_it_was_written(name):
    assert tomllib.loads(f"name = {toml_string(name)}") == {"name": name}


@given(st.text())
def test_every_unicode_text_can_be_written(text):
    assert tomllib.loads(f"a = {toml_string(text)}") == {"a": text}


def test_half_a_character_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="is no Unicode text"):
        toml_string("\ud800")


@pytest.mark.game("virus")
def test_two_bots_whose_names_look_the_same_are_refused(tmp_path):
    file = tmp_path / "cup.toml"
    entries = [f'[[bots]]\nbot = "builtin:random"\nname = "{name}"\n' for name in ("é", "e\u0301")]
    file.write_text("\n".join(entries))
    with pytest.raises(ConfigError, match="another bot is already called"):
        resolve(file)
