"""The files of an earlier export that a new one into the same folder does not write again.

A student's sheet has another name once its place is another; a bot's page stays when the bot has
left. A folder may hold files of people too: a file is taken for one of an export only if it lies
where the export writes, has a name of the form that it gives, and reads like one of its files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path

from joute.i18n import words
from joute.text import slug

_SHEET = re.compile(r"[0-9]{2,}(-[a-z0-9-]+)?\.md")  # as `numbered_name` gives it
_BOT = re.compile(r"[0-9]{2,}(-[a-z0-9-]+)?\.html")
_GAME = re.compile(r"[0-9a-f]{32}\.js")
_SECTION = re.compile(r"(index|replays|bots|faults|rules)\.html")


def remove_old_sheets(folder: Path, written: Collection[Path]) -> int:
    """Removes the sheets of a folder that are not among those `written` now; returns how many."""
    return _remove(folder, _SHEET, _is_sheet, written)


def remove_old_pages(folder: Path, written: Collection[Path]) -> int:
    """Removes the pages and games of a folder not among those `written` now; returns how many."""
    removed = 0
    for within in (folder, *(folder / language for language in words.LANGUAGES)):
        removed += _remove(within, _SECTION, _is_page, written)
        removed += _remove(within / "bots", _BOT, _is_page, written)
        removed += _remove(within / "replays", _GAME, _is_game, written)
    return removed


def _remove(
    folder: Path,
    name: re.Pattern[str],
    is_ours: Callable[[Path, str], bool],
    written: Collection[Path],
) -> int:
    # What lies behind a link may belong to something else.
    if folder.is_symlink() or not folder.is_dir():
        return 0
    removed = 0
    for path in list(folder.iterdir()):
        if path in written or not name.fullmatch(path.name):
            continue
        if path.is_symlink() or not path.is_file():
            continue
        if is_ours(path, path.read_text(encoding="utf-8", errors="replace")):
            path.unlink()
            removed += 1
    return removed


def _is_sheet(path: Path, text: str) -> bool:
    """Whether the title is the student of the name, and faults are told, in any language."""
    title = slug(text.partition("\n")[0].removeprefix("# "))
    named = path.stem == f"{path.stem.partition('-')[0]}-{title}".rstrip("-")
    heads = [f"\n\n## {words.catalog(each)['page.faults']}\n\n" for each in words.LANGUAGES]
    return text.startswith("# ") and named and any(head in text for head in heads)


def _is_page(_path: Path, text: str) -> bool:
    return text.startswith("<!doctype html>") and " \N{MIDDLE DOT} Joute</title>" in text


def _is_game(path: Path, text: str) -> bool:
    return text.startswith(f'jouteGame("{path.stem}", "')
