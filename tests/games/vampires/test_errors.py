"""Errors of the server of Vampires and of its client, said in the user's language."""

import pytest
from games.mistakes import check

from joute.games.vampires.server.client import Client, game_of
from joute.games.vampires.server.serve import _listen
from joute.games.vampires.server.settings import load_settings

CONFIGURATIONS = (
    "Port = x", "Trace = maybe", "MaxPlayDuration = soon", "MaxGameDuration = 99999999",
    "MaxPlayDuration = 0", "MaxPlays = 3", "what", "<map", "Trace = \xe9",
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
)  # fmt: skip
CLIENTS = {
    "species": lambda: game_of(2, 2, {}),
    "unplayable": lambda: game_of(300, 2, {(0, 0): (0, 1, 0), (1, 0): (0, 0, 1)}),
}


@pytest.mark.parametrize("text", CONFIGURATIONS)
def test_what_is_wrong_with_a_servers_configuration_is_said_in_french(text, tmp_path):
    file = tmp_path / "server.config"
    file.write_text(text, encoding="latin-1")
    check(lambda: load_settings(file))


@pytest.mark.parametrize("mistake", CLIENTS)
def test_what_a_server_sends_wrong_is_said_in_french(mistake):
    check(CLIENTS[mistake])


def test_whom_nobody_answers_or_nobody_hears_is_said_in_french():
    check(lambda: Client("builtin:nearest", "n", 1.0, print).run("127.0.0.1", 1))
    check(lambda: _listen("192.0.2.1", 1))
