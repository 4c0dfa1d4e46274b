"""Games, as the store takes them, and a look behind its back."""

from dataclasses import replace

from sqlalchemy import text

from joute.store.database import Database
from joute.store.model import StoredGame

GAME = StoredGame(
    identity="0" * 32,
    members=["a", "b"],
    set_number=0,
    map="",
    bots=["b", "a"],
    ending="finished",
    returns=[1.0, -1.0],
    points=[60, 36],
    plies=96,
    faults=[{"seat": 0, "ply": 3, "fault": "illegal", "detail": "« é »", "cost": "turn"}],
    cpu_ms=[1.25, 3.5],
    asked=[48, 48],
    chain="f" * 32,
    record="0.jsonl",
    played_at="2026-01-01T00:00:00+00:00",
)


def numbered(number: int, **changes) -> StoredGame:
    return replace(GAME, identity=f"{number:032x}", **changes)


def record_of(game: StoredGame) -> bytes:
    return f'{{"record": "{game.identity}"}}\n'.encode() * 20


def run(url: str, statement: str):
    """The rows of a statement of SQL, in a transaction of its own."""
    database = Database(url)
    try:
        return database.write(lambda each: freeze(each.execute(text(statement))))
    finally:
        database.close()


def freeze(result):
    return result.freeze()() if result.returns_rows else None
