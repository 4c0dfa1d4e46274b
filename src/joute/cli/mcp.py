"""`joute mcp`: the commands as tools for a coding agent, and a seat at a table, over stdio."""

from __future__ import annotations

import typer

from joute.cli.usage import UsageFault
from joute.i18n.words import say


def mcp(context: typer.Context) -> None:
    """The command; its help is in the catalogs."""
    try:
        import mcp.server  # noqa: F401 - an extra
    except ModuleNotFoundError as error:
        raise UsageFault(say("error.mcp.missing", reason=error)) from None
    import asyncio

    from joute.cli.mcp_server import serve

    asyncio.run(serve(context.find_root().command))
