"""The reason a bot failed, found again in the English of a record and worded for its reader."""

import zipfile

import pytest
from games.mistakes import in_french
from helpers import english_words

from joute.core.errors import ActionError
from joute.core.interface import expand, start
from joute.core.registry import make
from joute.host.adapters import adapters
from joute.host.child import interfaces as child
from joute.host.child import loading
from joute.host.child.errors import CannotLoad, IllegalAnswer
from joute.host.clock import late_words
from joute.host.descendants import too_much
from joute.host.protocol import judge
from joute.host.sandbox.spawning import exit_words
from joute.i18n.recognised import LONGEST, recognised
from joute.i18n.words import speaking


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (late_words(1.2, 1.31, 1.0), "a pris 1,20 s sur 1,00 s (au processeur\u202f; 1,31 s à"),
        (late_words(1.2, 1.31, 0.5, 0.5), "a pris 1,20 s sur 0,50 s et 0,50 s de réserve"),
        (late_words(0, 3.0, 1.0), "pas de réponse après 3,00 s sur 3,00 s à l’horloge (0,00 s sur"),
        (late_words(0, 3.0, 0.5, 0.5), "pas de réponse après 3,00 s sur 3,00 s à l’horloge"),
        (exit_words(None, False), "il a fermé son canal vers l’arbitre"),
        (exit_words(3, False), "son processus s’est terminé avec le code 3"),
        (exit_words(9, True), "son processus a été tué par SIGKILL\u202f: quelqu’un l’a fait"),
        (exit_words(11, True), "son processus a été tué par SIGSEGV"),
        (too_much(256), "un de ses processus a pris plus de 256 Mio de mémoire"),
        (
            judge(b'{"type":"ready"}', True)[2],
            "ce n’est pas un message du protocole\u202f: attendu\u202f:",
        ),
        (judge(b'{"type":"action","action":1}', False)[2], "attendu\u202f: 'ready', dans"),
        (judge(b"what", True)[2], "ce n’est pas un message du protocole\u202f:"),
        (judge(b"w" * 100, True)[2], "ce n’est pas un message du protocole\u202f:"),
        (
            late_words(0, 3.0, 1.0) + "; its answer has no end of line, and begins with '1'",
            "au processeur)\u202f; sa réponse n’a pas de fin de ligne, et commence par '1'",
        ),
        ("cannot run python9: No such file or directory", "impossible de lancer python9\u202f:"),
    ],
)
def test_why_a_process_failed_is_told_in_the_readers_language(text, expected):
    assert expected in in_french(text)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("virus", "zz"),
        ("virus", {}),
        ("tron", "over"),
        ("vampires", "here"),
        ("vampires", [[1, 1, 1, 0, 0]]),
        ("vampires", []),
        ("vampires", [[0, 0, 0, 1, 1]] * 300),
        ("love-letter", "nothing"),
        ("paradise", "attack the moon"),
        ("paradise", "sing"),
    ],
)
def test_an_action_that_is_none_is_told_in_the_readers_language(name, answer):
    game = make(name)
    state = start(game).tolist()
    with pytest.raises(ActionError) as caught:
        expand(game, state, answer)
    with speaking("fr"):
        direct = str(caught.value)
    assert not english_words(direct)
    assert in_french(str(caught.value)) == direct != str(caught.value)


@pytest.mark.game("virus", "paradise", "tron")
def test_why_a_bot_cannot_be_loaded_is_told_in_the_readers_language(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken.zip").write_text("no zip")
    for name in ("empty.py", "other.py"):
        (tmp_path / name).write_text("")
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a/x.py", "")
        archive.writestr("b/x.py", "")
    with zipfile.ZipFile(tmp_path / "windows.zip", "w") as archive:
        archive.writestr("a\\bot.py", "")
    files = [(name, "") for name in ("absent.py", "empty.py", "folder", "broken.zip", "two.zip")]
    files.append(("windows.zip", ""))
    files += [("other.py", each) for each in ("hx2", "class", "function", "paradise", "workshop")]
    known = child.known(adapters())
    for name, forced in files:
        with pytest.raises(CannotLoad) as caught:
            child.interface_of(loading.load(str(tmp_path / name)), known, forced)
        assert not english_words(in_french(str(caught.value)).replace(" and end(", " ("))
    with pytest.raises(CannotLoad) as caught:
        child.interface_of(loading.load(str(tmp_path / "other.py")), child.OWN, "hx2")
    assert in_french(str(caught.value)).startswith("l’interface 'hx2' ne peut pas être chargée")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (lambda: child.reply(1.5), "play a répondu 1.5\u202f: attendu\u202f: un nombre entier"),
        (lambda: child.reply(1 << 40), "play a répondu un nombre trop grand"),
    ],
)
def test_an_answer_that_is_none_is_told_in_the_readers_language(reply, expected):
    with pytest.raises(IllegalAnswer) as caught:
        reply()
    assert expected in in_french(str(caught.value))


@pytest.mark.parametrize(
    "line",
    [
        b"a1",
        b"1",
        b"['type']",
        b"{'type': 'action'}",
        b'{"action":1}',
        b'{"type":"move"}',
        b'{"type":1}',
        b'{"type":"action","action":null}',
        b'{"type":"action","action":["a"]}',
        b'{"type":"action","action":1} 2',
        b'{"type":"action","action":1,"message":"\xe9"}',
    ],
)
def test_a_line_that_is_no_message_is_told_in_the_readers_language(line):
    told = judge(line, playing=True).detail
    quoted = repr(line.decode("utf-8", "replace"))
    assert quoted in told
    assert not english_words(in_french(told).replace(quoted, ""))


def test_an_empty_line_is_called_so_in_the_readers_language():
    told = judge(b"", playing=True).detail
    assert told == "no message of the protocol: an empty line"
    assert in_french(told).endswith("une ligne vide")


@pytest.mark.parametrize(("told", "written"), [("20", "20"), ("1.5", "1,5"), ("0.25", "0,25")])
def test_a_time_is_written_as_in_the_readers_language(told, written):
    make("vampires")
    text = in_french(f"it did not connect within {told} s")
    assert f"{written} s" in text and not english_words(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Traceback (most recent call last):\nValueError: nope",
        "'x is not an action: expected y",
        "took 1 s of",
        "it closed its connection" * LONGEST,
    ],
)
def test_what_is_no_sentence_of_ours_stays_as_it_is(text):
    with speaking("fr"):
        assert str(recognised(text)) == text


def test_a_long_game_of_words_is_looked_at_quickly():
    texts = ["it sent the order " * 100, "; " * 900, "'" * LONGEST, "(" * LONGEST]
    assert [recognised(text) for text in texts] == texts


def test_a_traceback_stays_as_python_prints_it():
    told = '  File "bot.py", line 4, in play\n    choose()\nIndexError: list index out of range'
    with speaking("fr"):
        assert str(recognised(told)) == told
