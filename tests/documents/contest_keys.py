"""The reference of a contest's file, docs/LANGUAGE/contest-keys.md.

Keys, types and usual values are those of `joute.contest.config`; docs/contest-keys.toml says what
the keys mean.
"""

import textwrap
import tomllib
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints
from unittest.mock import patch

from joute.contest.config.config import resolve_data
from joute.contest.config.contest import Contest
from joute.contest.config.contest_table import FORMATS, KEYS, SEEDINGS, SPENDING
from joute.contest.config.entries import BotEntry
from joute.contest.config.reading import Reader, Source
from joute.contest.config.showing import LADDERS, Showing
from joute.contest.config.submission import SubmissionRules
from joute.contest.ranking.discipline import DISQUALIFICATION
from joute.contest.schedule.schedule import DEALS
from joute.host.limits import ASKED, Limits
from joute.i18n.words import LANGUAGES, say, speaking
from joute.play.game import FAULT_COSTS

DOCS = Path(__file__).parents[2] / "docs"
WIDTH = 100  # columns of a line
STRUCTS = {
    "contest": Contest,
    "limits": Limits,
    "faults": Contest,
    "submission": SubmissionRules,
    "show": Showing,
    "bots": BotEntry,
}
CHOICES: dict[str, tuple[str, ...]] = {
    "contest.format": FORMATS,
    "contest.spend": SPENDING,
    "contest.seeding": SEEDINGS,
    "contest.deals": DEALS,
    "limits.isolation": ASKED,
    "show.ladder": LADDERS,
}
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "head": "# The keys of a contest's file\n\nMade by `scripts/reference` from the program;"
        " [Contests](contests.md) tells how they go\ntogether. Only the bots are required. `[game]`"
        " has `name`, `map` or `maps`, `opening` and the\nparameters of the game, which `joute"
        " games NAME` lists.",
        "columns": "| key | type | usually | meaning |",
        "bool": "`true`, `false`", "int": "integer", "float": "number", "str": "text",
        "tuple": "list of texts", "none": "none", "many": "text, or list of texts",
        "span": "{low} to {high}", "least": "{low} or more", "costs": "What this fault costs:",
    },
    "fr": {
        "head": "# Les clés du fichier d’un concours\n\nFait par `scripts/reference` à partir du"
        " programme\u202f;\n[Les concours](contests.md) dit comment elles vont ensemble. Seuls les"
        " bots sont obligatoires. `[game]` a `name`, `map` ou `maps`, `opening` et les\nparamètres"
        " du jeu, que donne `joute games NAME`.",
        "columns": "| clé | type | d’habitude | sens |",
        "bool": "`true`, `false`", "int": "entier", "float": "nombre", "str": "texte",
        "tuple": "liste de textes", "none": "rien", "many": "texte, ou liste de textes",
        "span": "de {low} à {high}", "least": "{low} ou plus",
        "costs": "Ce que coûte cette faute\u202f:",
    },
}  # fmt: skip


def place(name: str) -> Path:
    """The file of a language."""
    return DOCS / name / "contest-keys.md"


def keys() -> dict[str, dict[str, Any]]:
    """The usual values of all keys that the reader of contests knows, by table."""
    known: dict[str, list[str]] = {}
    sources: list[Source] = []
    finish = Reader.finish

    def finished(reader: Reader) -> None:
        known[reader.path.partition("[")[0]] = list(reader._known)
        sources.append(reader.source)
        finish(reader)

    data = {"bots": ["builtin:random", "builtin:greedy"]}
    with patch.object(Reader, "finish", finished):
        resolve_data(data, where="contest", base=Path("/"))
    usual = {origin.key.replace("[1]", ""): origin.value for origin in sources[0].origins}
    usual |= {f"contest.{key}": value for key, (_, _, value) in KEYS.items()}
    known["bots"].insert(1, "name")
    return {table: {key: usual.get(f"{table}.{key}") for key in known[table]} for table in STRUCTS}


def meanings() -> dict[str, dict[str, Any]]:
    """The meanings of the keys, by table and key."""
    return tomllib.loads((DOCS / "contest-keys.toml").read_text(encoding="utf-8"))


def document(name: str) -> str:
    """The document in a language."""
    words, told = WORDS[name], meanings()
    title, about = words["head"].split("\n\n")
    blocks = [title, textwrap.fill(about, WIDTH, break_on_hyphens=False)]
    with speaking(name):
        for table, usual in keys().items():
            rows = [words["columns"], "|---|---|---|---|"]
            for key, value in usual.items():
                entry = told[table].get(key)
                if entry is None:  # a fault
                    meaning = f"{words['costs']} {say(f'fault.{key}')}."
                    kind = _listed((*FAULT_COSTS, DISQUALIFICATION))
                else:
                    meaning, kind = entry[name], _kind(table, key, words)
                shown = entry["usual"][name] if entry and "usual" in entry else _value(value, words)
                rows.append(f"| `{key}` | {kind} | {shown} | {meaning} |")
            title = f"## `[{'[bots]' if table == 'bots' else table}]`"
            blocks += [title, "\n".join(rows)]
    return "\n\n".join(blocks) + "\n"


def _kind(table: str, key: str, words: dict[str, str]) -> str:
    """The type of a key, with its bounds or its choices."""
    if choices := CHOICES.get(f"{table}.{key}"):
        return _listed(choices)
    hint = get_type_hints(STRUCTS[table], include_extras=True)[key]
    bounds = getattr(hint, "__metadata__", None)
    if bounds:
        low, high = bounds[0].ge, bounds[0].le
        span = words["least" if high is None else "span"].format(low=low, high=high)
        return f"{words[hint.__origin__.__name__]}, {span}"
    parts = [part for part in get_args(hint) if part is not type(None)]
    if get_origin(hint) is tuple or key == "disqualify_for":
        return words["tuple"]
    if any(get_origin(part) is tuple for part in parts):
        return words["many"]
    return words[(parts[0] if parts else hint).__name__]


def _listed(choices: tuple[str, ...]) -> str:
    return ", ".join(f'`"{each!s}"`' for each in choices)


def _value(value: Any, words: dict[str, str]) -> str:
    if value is None or value in ("", ()):
        return words["none"]
    return f"`{str(value).lower()}`" if not isinstance(value, str) else f'`"{value!s}"`'


def main() -> None:
    """Write the documents."""
    for name in LANGUAGES:
        place(name).write_text(document(name), encoding="utf-8")


if __name__ == "__main__":
    main()
