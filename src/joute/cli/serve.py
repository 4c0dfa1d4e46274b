"""`joute serve [CONTEST-FOLDER...]`: the web application."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import SplitResult, urlsplit

import typer

from joute.cli.output import behind
from joute.cli.usage import DONE, UsageFault
from joute.i18n.recognised import foreign
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.web.settings import Settings

PORT = 8000
ALL = "0.0.0.0"  # noqa: S104, asked for by --lan
LEAST_PASSWORD = 8  # characters
_SOMEWHERE = ("192.0.2.1", 9)  # nobody: the way there tells this machine's address


def serve(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="CONTEST-FOLDER", help="help.serve.folders")
    ] = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="help.serve.host")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", help="help.serve.port", min=0, max=65535)
    ] = PORT,
    lan: Annotated[bool, typer.Option("--lan", help="help.serve.lan")] = False,
    public: Annotated[
        str | None, typer.Option("--public", metavar="URL", help="help.serve.public")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FOLDER", help="help.serve.data")
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option("--game", metavar="PATH", help="help.serve.game")
    ] = None,
    messages: Annotated[bool, typer.Option("--messages", help="help.serve.messages")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="help.serve.fresh")] = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.files import data_folder
    from joute.web.settings import Settings, held, kept_secret

    address = _address(public)
    _load(game or ())
    kept = data or data_folder(os.environ)
    with _listener(ALL if lan else host, port) as listening, held(kept):
        bound, port = listening.getsockname()[:2]
        settings = Settings(
            folders=tuple(folders or ()),
            data=kept,
            secret=kept_secret(kept),
            password=_password(kept) if address or not _is_loopback(bound) else None,
            hosts=_hosts(bound, address),
            https=address is not None and address.scheme == "https",
            proxied=address is not None,
            messages=messages,
            prepare=True,
            fresh=fresh,
        )
        _run(settings, listening, _shown(bound, port, address), lan or address is not None)
    return DONE


def _load(games: Sequence[str]) -> None:
    """Loads games that are to be listed beside the installed ones. Raises UsageFault."""
    from joute.core.errors import GameError
    from joute.core.registry import card, maker_of

    try:
        for each in games:
            maker_of(card(each).name)
    except GameError as error:
        raise UsageFault(str(error)) from None


def _run(settings: Settings, listening: socket.socket, url: str, told: bool) -> None:
    """Serves until it is stopped; `told` if the address is for others to type."""
    from joute.web.serving import Server, config

    made = config(settings)
    print(say("serve.at", url=url), flush=True)
    if told and sys.stdout.isatty():
        import segno

        segno.make(url).terminal(out=behind(sys.stdout), compact=True)
    try:
        Server(made).run(sockets=[listening])
    except KeyboardInterrupt:
        print(say("serve.stopped"))


def _address(public: str | None) -> SplitResult | None:
    """The parts of the address under which others see this server."""
    if public is None:
        return None
    refusal = UsageFault(say("serve.public", url=public))
    try:
        found = urlsplit(public)
        host, _ = found.hostname, found.port  # a port that is none is an error once it is asked for
    except ValueError:
        raise refusal from None
    alone = not (found.path.strip("/") or found.query or found.fragment or found.username)
    if found.scheme not in ("http", "https") or not host or not alone:
        raise refusal
    return found


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        number = getattr(error, "errno", None) or 0  # below 0 of a name that leads nowhere
        reason = foreign(os.strerror(number) if number > 0 else error)
        key = "serve.busy" if number == errno.EADDRINUSE else "serve.taken"
        raise UsageFault(say(key, host=host, port=port, reason=reason)) from None


def _is_loopback(bound: str) -> bool:
    return ipaddress.ip_address(bound).is_loopback


def _hosts(bound: str, address: SplitResult | None) -> tuple[str, ...]:
    """The names and addresses that a browser may call this server by."""
    from joute.web.settings import LOOPBACK

    found = [*LOOPBACK]
    if not _is_loopback(bound):
        name = socket.gethostname().lower()
        found += [_bracketed(_own_address(bound)), name, f"{name}.local"]
    if address is not None and address.hostname:
        found.append(_bracketed(address.hostname))
    return tuple(dict.fromkeys(found))


def _shown(bound: str, port: int, address: SplitResult | None) -> str:
    """The address to type into a browser."""
    if address is not None:
        return f"{address.scheme}://{address.netloc}"
    return f"http://{_bracketed(_own_address(bound))}:{port}"


def _own_address(bound: str) -> str:
    """The address by which others reach a listener; no packet is sent to find it."""
    if not ipaddress.ip_address(bound).is_unspecified:
        return bound
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
        except OSError:  # no network: nobody else will come
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _bracketed(host: str) -> str:
    """An address as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def _password(data: Path) -> str:
    """The hash of the organiser's password, which is asked for if there is none yet."""
    from joute.web.organiser import password_is_right
    from joute.web.settings import PASSWORD_FILE, keep_password, kept_password

    kept = kept_password(data)
    given = os.environ.pop("JOUTE_PASSWORD", None)  # no process that the server starts has it
    if kept is not None:
        if given is not None and not password_is_right(given, kept):
            print(say("serve.other_password", file=data / PASSWORD_FILE), file=sys.stderr)
        return kept
    if given is None:
        if not sys.stdin.isatty():
            raise UsageFault(say("serve.no_password"))
        import getpass

        print(say("serve.first"))
        given = getpass.getpass(say("serve.password"))
        if getpass.getpass(say("serve.again")) != given:
            raise UsageFault(say("serve.differ"))
    if len(given) < LEAST_PASSWORD:
        raise UsageFault(say("serve.short", least=LEAST_PASSWORD))
    return keep_password(data, given)
