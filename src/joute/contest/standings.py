"""The standings of a contest as they stand in its folder, and the files that show them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from joute.contest.config import Contest
from joute.contest.folder import kept
from joute.contest.formats import Table
from joute.contest.plan import Plan
from joute.contest.ranking import Standing

__all__ = ["standings", "table_text", "write_results"]


def standings(contest: Contest) -> Table:
    """The standings after the games that count, best first. Raises FolderError."""
    seed, games = kept(Path(contest.folder))
    return Plan(contest, contest.seed or seed or "", games).standings()


def write_results(folder: Path, contest: Contest, plan: Plan) -> None:
    """Write standings.json and standings.txt into the folder."""
    table = plan.standings()
    summary = {"contest": contest.name, "done": plan.done, "left": plan.left, "standings": table}
    content = msgspec.json.format(msgspec.json.encode(summary), indent=2)
    _replace(folder / "standings.json", content.decode() + "\n")
    heading = f"{contest.name}: {plan.done} games played"
    if plan.left:
        heading += f", {plan.left} left"
    _replace(folder / "standings.txt", f"{heading}\n\n{table_text(table)}")


def _replace(path: Path, content: str) -> None:
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text(content, encoding="utf-8")
    partial.replace(path)


def table_text(table: list[Standing]) -> str:
    """The standings as a plain table, then what is to be said of faults."""
    lines = [["", "bot", "beaten", "won", "drawn", "lost", "score", "95 %", "faults", "ms/turn"]]
    lines += [_cells(line) for line in table]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    text = "".join(_line(line, widths) for line in lines)
    faults = [
        f"{line.name}: {fault.fault} x{fault.count}, first at ply {fault.ply} of "
        f"{fault.game}: {first_line(fault.first)}\n"
        for line in table
        for fault in line.faults
    ]
    return text + ("\n" + "".join(faults) if faults else "")


def first_line(detail: str) -> str:
    """What a detail of several lines says in one: a traceback says it last."""
    return detail.strip().splitlines()[-1].strip() if detail.strip() else ""


def _cells(line: Standing) -> list[str]:
    interval = line.interval
    return [
        str(line.rank),
        line.name,
        str(line.beaten),
        str(line.won),
        str(line.drawn),
        str(line.lost),
        "?" if line.score is None else f"{line.score:.3f}",
        "?" if interval is None else f"{interval.low:.2f}-{interval.high:.2f}",
        str(sum(fault.count for fault in line.faults)),
        "?" if line.mean_ms is None else f"{line.mean_ms:.1f}",
    ]


def _line(cells: list[str], widths: list[int]) -> str:
    """A line of the table: the name to the left, the rest to the right."""
    aligned = [
        cell.ljust(width) if column == 1 else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(aligned).rstrip() + "\n"
