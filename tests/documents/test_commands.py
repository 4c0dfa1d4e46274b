"""The reference of commands is that of the program, and has every command and option."""

import pytest
from documents.commands import commands, place

from joute.cli.commands import build
from joute.i18n.words import LANGUAGES

pytestmark = pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_of_commands_is_fresh(language):
    assert place(language).read_text("utf-8") == commands(language), "run scripts/reference"


def every(group, path=()):
    for name, command in group.commands.items():
        yield (*path, name), command
        if hasattr(command, "commands"):
            yield from every(command, (*path, name))


def test_every_command_and_option_has_its_entry():
    text = place("en").read_text("utf-8")
    for path, command in every(build()):
        head = f"# joute {' '.join(path)}\n"
        assert head in text
        part = text.split(head, 1)[1].split("\n#", 1)[0]
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or parameter.opts[-1] in part
