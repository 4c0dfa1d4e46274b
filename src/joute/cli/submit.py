"""`joute submit BOT URL`: hands a bot in at a server, and tells what its check there finds."""

from __future__ import annotations

import io
import os
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, CheckFault, Json, UsageFault
from joute.i18n.words import has, say

if TYPE_CHECKING:
    from joute.cli.submission_server import SubmissionServer

VARIABLE = "JOUTE_TOKEN"
LOOK_SECONDS = 1.0  # between two looks at a check that is under way
PATIENCE_SECONDS = 120.0  # with a server that is silent meanwhile, as one that is started anew
_SHORTEST_SECRET = 40  # characters; anything shorter is a place on the participant's page
_STAMP = (1980, 1, 1, 0, 0, 0)  # of the files in a zip: the same bytes of the same files


def submit(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.submit.bot")],
    url: Annotated[str, typer.Argument(metavar="URL", help="help.submit.url")],
    token: Annotated[
        str | None, typer.Option("--token", metavar="TOKEN", help="help.submit.token")
    ] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="help.submit.no_wait")] = False,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    if not bot:  # an empty variable of a shell: as a path it would be the whole folder
        raise UsageFault(say("error.bot.missing", path='""'))
    server = _server(url, token)
    name, content = packed(Path(bot))
    version = server.send(name, content)
    if not json:
        print(say("submit.sent_version", number=version["number"], file=name))
    if not no_wait:
        version = _checked(server, version, json)
    if json:
        print_json(version)
    elif not no_wait:
        print(_verdict(version))
    return DONE if no_wait or version["clean"] else FAILED


def packed(bot: Path) -> tuple[str, bytes]:
    """The file to hand in, as its name and its bytes: a folder becomes a zip. Raises UsageFault."""
    from joute.host.building.sources import LARGEST_UPLOAD

    if bot.is_dir():
        name, content = f"{bot.resolve().name}.zip", _zipped(bot)
    elif not bot.exists():
        raise UsageFault(say("error.bot.missing", path=bot))
    elif bot.suffix.lower() not in (".py", ".zip") or not bot.is_file():
        raise UsageFault(say("submit.no_file", bot=bot))
    else:
        with bot.open("rb") as opened:
            name, content = bot.name, opened.read(LARGEST_UPLOAD + 1)
    # A server breaks the connection off before it is sent what is far too large.
    if len(content) > LARGEST_UPLOAD:
        raise UsageFault(say("submit.too_large", file=name, most=LARGEST_UPLOAD >> 20))
    return name, content


def _zipped(folder: Path) -> bytes:
    """A zip of the files that make the bot of a folder. Raises UsageFault."""
    from joute.host.building.sources import MOST_BYTES, MOST_FILES, files_to_keep

    _tell_left_out(folder)
    files = files_to_keep(folder)
    if len(files) > MOST_FILES:
        raise _unfit(folder, "error.build.many", most=MOST_FILES)
    if sum(each.stat().st_size for each in files) > MOST_BYTES:
        raise _unfit(folder, "error.build.large", most=MOST_BYTES >> 20)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in files:
            archive.writestr(_entry(each, folder), each.read_bytes())
    return file.getvalue()


def _tell_left_out(folder: Path) -> None:
    """Says which folders in it are not handed in though nothing marks them as hidden."""
    from joute.host.building.order import hidden

    for each in sorted(folder.rglob("*")):
        if each.is_dir() and not hidden(each.relative_to(folder).as_posix()):
            closed = not os.access(each, os.R_OK | os.X_OK)
            if closed or each.is_symlink():
                said = say("submit.closed_folder" if closed else "submit.linked", folder=each)
                print(f"joute: {said}", file=sys.stderr, flush=True)


def _entry(file: Path, folder: Path) -> zipfile.ZipInfo:
    """The entry of a file in its folder's zip. Raises UsageFault for a name that is no text."""
    name = file.relative_to(folder).as_posix()
    try:
        name.encode()
    except UnicodeEncodeError:
        raise _unfit(file, "submit.odd_name") from None
    entry = zipfile.ZipInfo(name, _STAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _unfit(path: Path, key: str, **values: int) -> UsageFault:
    """The refusal of a folder, or of a file in it, for the reason of that key."""
    return UsageFault(say("error.file.named", file=path, reason=say(key, **values)))


def _server(url: str, token: str | None) -> SubmissionServer:
    """The server of an address, which may be a participant's whole link. Raises UsageFault."""
    from joute.cli.submission_server import SubmissionServer

    try:
        parts = urlsplit(url)
        (parts.hostname or "").encode("idna")
    except ValueError:  # of these is UnicodeError, for a host with an empty part, or one too long
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageFault(say("submit.no_url", url=url))
    secret = parts.fragment if len(parts.fragment) >= _SHORTEST_SECRET else ""
    found = token or secret or os.environ.get(VARIABLE, "")
    found = found.rpartition("#")[2].strip()
    if not found:
        raise UsageFault(say("submit.no_token", variable=VARIABLE))
    if not (found.isascii() and found.isprintable()):
        raise UsageFault(say("submit.odd_token"))
    return SubmissionServer(f"{parts.scheme}://{parts.netloc}", found)


def _checked(server: SubmissionServer, version: dict[str, Any], json: bool) -> dict[str, Any]:
    """The version once it is checked; what is found is printed as it comes."""
    told = 0
    while True:
        version = _looked(server, version["number"])
        if not json:
            for line in _lines(version["findings"][told:]):
                print(line, flush=True)
        told = max(told, len(version["findings"]))
        if version["state"] != "waiting":
            return version
        time.sleep(LOOK_SECONDS)


def _looked(server: SubmissionServer, number: int) -> dict[str, Any]:
    """A version as it is now, asked for until the server answers. Raises CheckFault."""
    from joute.cli.submission_server import SilentFault

    since, told = time.monotonic(), False
    while True:
        try:
            return server.version(number)
        except SilentFault as fault:
            if time.monotonic() - since > PATIENCE_SECONDS:
                raise CheckFault(say("submit.lost", reason=fault, number=number)) from None
            if not told:
                said = say("submit.asked_again", reason=fault, number=number)
                print(f"joute: {said}", file=sys.stderr, flush=True)
        told = True
        time.sleep(LOOK_SECONDS)


def _lines(findings: list[dict[str, Any]]) -> Iterator[str]:
    """The lines on some findings, as `joute check` prints them."""
    verdicts = {"good": "ok", "doubtful": "remark"}
    for each in findings:
        verdict = say(f"check.{verdicts.get(each['mark'], 'failed')}")
        key = f"check.name.{each['check']}"
        name = say(key) if has(key) else each["check"]  # of a later version's server
        yield say("check.line", verdict=verdict, name=name, said=each["said"])
        yield from (f"         {line}" for line in each["detail"])


def _verdict(version: dict[str, Any]) -> str:
    """Whether a version that was checked takes part."""
    number, clean = version["number"], version["clean"]
    if version["state"] != "done":
        return say("submit.not_checked", number=number, reason=version["trouble"])
    return say("submit.plays" if clean else "submit.plays_not", number=number)
