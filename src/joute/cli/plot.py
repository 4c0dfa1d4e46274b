"""`joute plot FILE [KIND]`: the plots of a contest, in the terminal or as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from joute.cli.exits import UsageFault
from joute.cli.usage import Command
from joute.files import put
from joute.i18n.words import say


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("plot", cls=Command, help="help.plot")(plot)


def plot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="help.contest.file")],
    kind: Annotated[str | None, typer.Argument(metavar="KIND", help="help.plot.kind")] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="PICTURE", help="help.plot.svg")
    ] = None,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.cli.exporting.pictures import picture
    from joute.cli.exporting.texts import text_plot
    from joute.contest.config.config import resolve
    from joute.contest.report.plots import KINDS
    from joute.contest.report.report import read_report

    known = ", ".join(KINDS)
    if kind is not None and kind not in KINDS:
        raise UsageFault(say("error.choice", value=kind, known=known))
    if svg is not None and kind is None:
        raise UsageFault(say("plot.one", known=known))
    report = read_report(resolve(file))
    if not report.games:
        raise UsageFault(say("plot.unplayed"))
    if svg is not None and kind is not None:
        if not svg.resolve().parent.is_dir():
            raise UsageFault(say("plot.no_folder", folder=svg.resolve().parent))
        put(svg, picture(report, kind).written())
        print(say("plot.written", path=svg))
    else:
        print("\n".join(text_plot(report, each) for each in ([kind] if kind else KINDS)), end="")
