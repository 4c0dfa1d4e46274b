"""A sealed contest of Virus that was played, copies of it, and forged records."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zstandard import ZstdCompressor, ZstdDecompressor

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.run.runner import run_contest
from joute.contest.sealing import draw_seed, seal_contest
from verifier import verify_virus

FAILING = """
def play(observation, clock):
    legal = observation["legal"]
    if len(legal) % 3 == 0:
        raise ValueError("no idea")
    return legal[-1] + len(legal) % 2
"""
PUBLIC = "dice 4 2 6 1 3 5"


def played_in(folder: Path, bots: list[str], settings: str, workers: int = 1) -> Contest:
    """A contest that was sealed, drawn and played in a folder; `settings` follow [contest].

    With one worker, games arrive in the order of the schedule.
    """
    (folder / "failing.py").write_text(FAILING)
    (folder / "cup.toml").write_text(f"bots = {bots}\n[contest]\nworkers = {workers}\n{settings}\n")
    contest = resolve(folder / "cup.toml")
    seal_contest(contest)
    draw_seed(contest, PUBLIC)
    run_contest(contest, trust=True)
    return contest


class Forger:
    """Changes a copy of a contest's results as somebody would who has a database browser."""

    def __init__(self, results: Path) -> None:
        self.results = results
        self._database = sqlite3.connect(results / "contest.sqlite")

    def change(self, statement: str, *values: object) -> None:
        """Runs a statement that must change something."""
        with self._database:
            cursor = self._database.execute(statement, values)
        assert cursor.rowcount != 0

    def ask(self, query: str, *values: object) -> Any:
        """The first column of the first row."""
        return self._database.execute(query, values).fetchone()[0]

    def standings(self, edit: Callable[[dict[str, Any]], object]) -> None:
        """Changes standings.json."""
        file = self.results / "standings.json"
        told = json.loads(file.read_text())
        edit(told)
        file.write_text(json.dumps(told))

    def configuration(self, edit: Callable[[dict[str, Any]], object], drawn: bool = False) -> None:
        """Changes every configuration, or those with a seed."""
        for number, text in self._database.execute("SELECT number, configuration FROM contest"):
            found = json.loads(text)
            if found["seed"] or not drawn:
                edit(found)
            new = json.dumps(found), found["seed"], number
            self.change("UPDATE contest SET configuration = ?, seed = ? WHERE number = ?", *new)

    def record(self, edit: Callable[[list[dict[str, Any]]], object], game: int = 1) -> None:
        """Changes the lines of a record, chains them anew, and tells the game's row."""
        packed = self.ask("SELECT content FROM records WHERE game = ?", game)
        content = ZstdDecompressor().decompress(packed)
        lines = [json.loads(line) for line in content.splitlines()]
        for line in lines:
            del line["chain"]
        edit(lines)
        chain, out = "0" * 32, b""
        for line in lines:
            payload = json.dumps(line, separators=(",", ":")).encode()[:-1]
            chain = hashlib.blake2b(chain.encode() + payload, digest_size=16).hexdigest()
            out += payload + f',"chain":"{chain}"}}\n'.encode()
        self.keep(out, game)
        self.change("UPDATE games SET chain = ? WHERE number = ?", chain, game)

    def keep(self, content: bytes, game: int = 1) -> None:
        """Gives a game another record."""
        packed = ZstdCompressor(write_checksum=True).compress(content)
        self.change("UPDATE records SET content = ? WHERE game = ?", packed, game)

    def drop(self, identity: str) -> None:
        """Deletes a game as if it had never been played."""
        number = self.ask("SELECT number FROM games WHERE identity = ?", identity)
        for table, key in (("games", "number"), ("seats", "game"), ("records", "game")):
            self.change(f"DELETE FROM {table} WHERE {key} = ?", number)

    def files(self) -> tuple[Path, str]:
        """Writes the first game's record as a file; its path, and the game's identity."""
        identity = self.ask("SELECT identity FROM games WHERE number = 1")
        file = self.results / "records" / f"{identity}.jsonl"
        packed = self.ask("SELECT content FROM records WHERE game = 1")
        file.write_bytes(ZstdDecompressor().decompress(packed))
        return file, identity

    def link(self) -> None:
        """Chains all rows anew, those that are left in the order that they had."""
        results = verify_virus.Results(self.results)
        rows = verify_virus.chained_rows(results)
        order = [(link["kind"], link["row"]) for link in results.rows("links")]
        with self._database:
            self._database.execute("DELETE FROM links")
            link = bytes(16)
            kept = [key for key in order if key in rows]
            for number, key in enumerate([*kept, *(key for key in rows if key not in order)], 1):
                payload = verify_virus.compact([*key, rows[key]]).encode()
                link = hashlib.blake2b(link + payload, digest_size=16).digest()
                self._database.execute(
                    "INSERT INTO links VALUES (?, ?, ?, ?)", (number, *key, link)
                )

    def close(self) -> None:
        """Lets the database go, written whole."""
        self._database.close()
