"""Archives are checked before anything else touches them: what is refused, and why."""

import io
import stat
import zipfile

import pytest
from web.entered import GOOD, archive

from joute.i18n.words import speaking
from joute.web.errors import RequestRefusal
from joute.web.registration import archives


def link_entry():
    entry = zipfile.ZipInfo("bot.py")
    entry.create_system = 3
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def locked():
    content = bytearray(archive(("bot.py", GOOD)))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    content[6] |= 1
    return bytes(content)


HOSTILE = {
    "up": (archive(("bot.py", GOOD), ("../x.py", b"")), "a path outside itself (../x.py)"),
    "root": (archive(("bot.py", GOOD), ("/etc/x", b"")), "a path outside itself (/etc/x)"),
    "drive": (archive(("bot.py", GOOD), ("C:/x", b"")), "a path outside itself (C:/x)"),
    "backslash": (archive(("..\\x", b"")), "a path outside itself"),
    "link": (archive((link_entry(), b"/etc/passwd")), "holds a link"),
    "zero byte": (
        archive(("bot.py", GOOD), ("y" * 9, b"")).replace(b"y" * 9, b"bot.py\0yy"),
        "whose name cannot be written (bot.py\\x00yy)",
    ),
    "locked": (locked(), "a file with a password (bot.py)"),
    "twice": (
        archive(("bot.py", GOOD), ("bot.pz", b"")).replace(b"bot.pz", b"bot.py"),
        "the same file twice (bot.py)",
    ),
    "lzma": (
        archive(("bot.py", GOOD)).replace(b"\x08\0", b"\x0e\0"),
        "packed in a way that Python does not import (bot.py)",
    ),
    "many": (archive(*((f"{n}.txt", b"") for n in range(1001))), "1001 files; 1000 at most"),
    "no zip": (b"not a zip", "cannot be read as a zip archive"),
    "cut": (archive(("bot.py", GOOD))[:-30], "cannot be read as a zip archive"),
    "empty": (b"", "is empty"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_refused_with_the_reason(case):
    content, reason = HOSTILE[case]
    with pytest.raises(RequestRefusal) as refused:
        archives.checked(content, "bot.zip")
    assert reason in str(refused.value)


@pytest.mark.parametrize("space", [" ", "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"])
def test_a_name_may_hold_any_space(space):
    picture = f"Screenshot at 10.00{space}PM.png"  # so a Mac names them
    assert archives.checked(archive(("bot.py", GOOD), (picture, b"")), "bot.zip") == ".zip"


def test_what_is_no_archive_is_refused_in_french_without_a_word_of_english():
    with speaking("fr"), pytest.raises(RequestRefusal) as refused:
        archives.checked(b"not a zip", "bot.zip")
    assert str(refused.value).endswith("\u202f: ce n’est pas un fichier zip")


def test_the_list_of_an_archive_is_counted_before_it_is_read(monkeypatch):
    content = archive(*((f"{n}.txt", b"") for n in range(1001)))
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(RequestRefusal, match="1001 files; 1000 at most"):
        archives.checked(content, "bot.zip")


def test_a_bomb_is_refused_whether_or_not_it_says_its_size(monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_UNPACKED", 100_000)
    honest = archive(("bot.py", b"#" * 200_000))
    assert len(honest) < 1000
    with pytest.raises(RequestRefusal, match="more than 0 MB once unpacked"):
        archives.checked(honest, "bot.zip")
    file = zipfile.ZipFile(io.BytesIO(honest))
    with file, pytest.raises(RequestRefusal, match="once unpacked"):
        archives._read_through(file)
    lying = honest.replace((200_000).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    with pytest.raises(RequestRefusal, match="cannot be read as a zip"):
        archives.checked(lying, "bot.zip")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("bot.exe", b"MZ", "expected a .py file or a .zip"),
        ("../../" + "x" * 200 + ".tar", b"", "xxx.tar: expected"),
        ("bot.py", b"#" * (2**20 + 1), "larger than 1 MB"),
        ("bot.zip", b"#" * (5 * 2**20 + 1), "larger than 5 MB"),
        ("bot.py", b"", "is empty"),
    ],
)
def test_a_file_of_another_kind_or_size_is_refused(name, content, reason):
    with pytest.raises(RequestRefusal) as refused:
        archives.checked(content, name)
    assert reason in str(refused.value)
