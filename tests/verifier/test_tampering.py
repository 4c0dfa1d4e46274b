"""The independent verifier agrees with an honest contest and finds every change of a result."""

import json

import pytest
from verifier.sealed import PUBLIC, Forger

from joute.store.tables import metadata

pytestmark = pytest.mark.game("virus")

WINNER = "SELECT number FROM games WHERE returns = '[1.0,-1.0]' LIMIT 1"
FAULTY = "SELECT number FROM games WHERE faults <> '' LIMIT 1"
CLEAN = "SELECT number FROM games WHERE faults = '' LIMIT 1"
OTHER_PAIR = "SELECT number FROM lineups WHERE members <> (SELECT members FROM lineups LIMIT 1)"


def test_an_honest_contest_is_agreed_with(played, verify):
    told = json.loads((played / "standings.json").read_text())
    code, out = verify(played, "--seal", told["seal"]["seal"].lower().replace("-", " "))
    assert code == 0
    lines = out.splitlines()
    assert [line.split()[1] for line in lines[:3]] == [one["name"] for one in told["standings"]]
    assert f"Seal: {told['seal']['seal']}" in lines
    assert f"Public value: {PUBLIC}" in lines
    assert lines[-1] == "All is true: 12 games were replayed"


def test_what_is_said_is_said_in_french_too(played, verify):
    code, out = verify(played, "--lang", "fr")
    assert (code, out.splitlines()[-1]) == (0, "Tout est vrai : 12 parties ont été rejouées")


def test_records_may_lie_there_as_files(forger, verify):
    _, identity = forger.files()
    forger.change("DELETE FROM records WHERE game = 1")  # which no link stands for
    assert verify(forger.results)[0] == 0
    (forger.results / "records" / f"{identity}.jsonl").unlink()
    code, out = verify(forger.results)
    assert (code, f"game {identity}: its record is missing" in out) == (1, True)


def exchange_winner(f: Forger) -> None:
    f.change(f"UPDATE games SET returns = '[-1.0,1.0]' WHERE number = ({WINNER})")


def delete_game(f: Forger) -> None:
    for table, key in (("games", "number"), ("seats", "game"), ("records", "game")):
        f.change(f"DELETE FROM {table} WHERE {key} = 12")


def delete_game_and_recount(f: Forger) -> None:
    delete_game(f)
    f.standings(lambda told: told.update(done=11, left=1))


def invent_fault(f: Forger) -> None:
    fault = [{"seat": 1, "ply": 3, "fault": "crash", "detail": "", "cost": "turn"}]
    f.change(f"UPDATE games SET faults = ? WHERE number = ({CLEAN})", json.dumps(fault))


def exchange_lineup(f: Forger) -> None:
    f.change(f"UPDATE games SET lineup = ({OTHER_PAIR}) WHERE number = 1")
    f.change(f"UPDATE seats SET lineup = ({OTHER_PAIR}) WHERE game = 1")


def exchange_bots(f: Forger) -> None:
    bots = json.loads(f.ask("SELECT bots FROM lineups WHERE number = 1"))
    f.change("DELETE FROM lineups WHERE bots = ? AND number <> 1", json.dumps(bots[::-1]))


def exchange_records(f: Forger) -> None:
    for one, other in ((1, -1), (2, 1), (-1, 2)):
        f.change("UPDATE records SET game = ? WHERE game = ?", other, one)


def flip_byte(f: Forger) -> None:
    packed = bytearray(f.ask("SELECT content FROM records WHERE game = 1"))
    packed[len(packed) // 2] ^= 1
    f.change("UPDATE records SET content = ? WHERE game = 1", bytes(packed))


def change_line(f: Forger) -> None:
    file, _ = f.files()
    file.write_bytes(file.read_bytes().replace(b'"by":"bot"', b'"by":"Bot"', 1))


def forge(edit, game=1):
    return lambda f: f.record(edit, f.ask(game) if isinstance(game, str) else game)


def first_bot(lines: list) -> dict:
    """The first stone that a bot puts."""
    bots = (each for each in lines if each.get("by") == "bot" and "fault" not in each)
    return next(each for each in bots if each["text"] != "pass")


def drop_last_ply(lines: list) -> None:
    del lines[-2]


def other_action(lines: list) -> None:
    first_bot(lines).update(action=25, text="pass")


def illegal_action(lines: list) -> None:
    first_bot(lines).update(action=0, text="a1")


def other_starter(lines: list) -> None:
    starter = 1 - lines[1]["action"]
    lines[1].update(action=starter, text=f"player {starter} starts")


def more_points(lines: list) -> None:
    lines[-1]["points"][0] += 1


def swap_contents(lines: list) -> None:
    one, other = lines[0]["bots"]
    one["content"], other["content"] = other["content"], one["content"]


def forfeit(lines: list) -> None:
    lines[-1].update(ending="forfeit", forfeits=[0], returns=[-1.0, 1.0])


TAMPERINGS = {
    "winner and loser exchanged": (exchange_winner, "returns is [-1.0, 1.0], expected [1.0, -1.0]"),
    "points changed": (
        lambda f: f.change("UPDATE seats SET points = points + 1 WHERE game = 3 AND seat = 0"),
        "points is",
    ),
    "plies changed": (
        lambda f: f.change("UPDATE games SET plies = 3 WHERE number = 2"), "plies is 3"
    ),
    "ending changed": (
        lambda f: f.change("UPDATE games SET ending = 'forfeit' WHERE number = 2"),
        'ending is "forfeit", expected "finished"',
    ),
    "times changed": (
        lambda f: f.change("UPDATE seats SET cpu_ms = -5 WHERE game = 3 AND seat = 0"),
        "cpu_ms is -5",
    ),
    "asked changed": (
        lambda f: f.change("UPDATE seats SET asked = asked + 1 WHERE game = 3 AND seat = 0"),
        "asked is",
    ),
    "isolation changed": (
        lambda f: f.change("UPDATE games SET isolation = '[\"full\",\"full\"]' WHERE number = 3"),
        'isolation is ["full", "full"]',
    ),
    "chain changed": (
        lambda f: f.change("UPDATE games SET chain = ? WHERE number = 1", "0" * 32),
        "chain is",
    ),
    "a fault invented": (invent_fault, 'faults is [{"seat": 1'),
    "faults deleted": (
        lambda f: f.change(f"UPDATE games SET faults = '' WHERE number = ({FAULTY})"),
        "faults is []",
    ),
    "game deleted": (delete_game, "the game is missing"),
    "game deleted and counted anew": (delete_game_and_recount, "the game is missing"),
    "game deleted from the middle": (
        lambda f: f.change("DELETE FROM games WHERE number = 5"),
        "games without a row is [5]",
    ),
    "seats deleted": (lambda f: f.change("DELETE FROM seats WHERE game = 2"), "seats is []"),
    "a seat added": (
        lambda f: f.change("INSERT INTO seats VALUES (1, 0, 77, 1, 1, 1)"),
        "games without a row is [77]",
    ),
    "line-up of a game exchanged": (exchange_lineup, "bots is"),
    "names within a line-up exchanged": (
        lambda f: f.change("UPDATE lineups SET bots = '[\"random\",\"greedy\"]' WHERE number = 1"),
        "bots is",
    ),
    "a line-up that nobody has": (
        lambda f: f.change("INSERT INTO lineups VALUES (99, '[]', '[]', '')"),
        "line-ups without a game is [99]",
    ),
    "line-up missing": (
        lambda f: f.change("DELETE FROM lineups WHERE number = 1"), "its line-up is missing"
    ),
    "set exchanged": (
        lambda f: f.change("UPDATE games SET set_number = 1 - set_number WHERE number = 1"),
        "it stands at another place of the schedule",
    ),
    "map changed": (
        lambda f: f.change("UPDATE lineups SET map = 'x' WHERE number = 1"),
        "it stands at another place of the schedule",
    ),
    "record's name changed": (
        lambda f: f.change("UPDATE games SET record = '' WHERE number = 1"), 'record is ""'
    ),
    "identity changed": (
        lambda f: f.change("UPDATE games SET identity = ? WHERE number = 1", "0" * 32),
        "the schedule does not ask for it",
    ),
    "record deleted": (
        lambda f: f.change("DELETE FROM records WHERE game = 4"), "its record is missing"
    ),
    "records exchanged": (exchange_records, "is"),
    "record of no game": (
        lambda f: f.change("INSERT INTO records VALUES (99, x'00')"),
        "records without a game is [99]",
    ),
    "a byte of a packed record": (flip_byte, "its record is damaged"),
    "a line of a record file": (change_line, "its chain does not match"),
    "record without its end": (forge(lambda lines: lines.pop()), "it holds something else"),
    "record without its last ply": (forge(drop_last_ply), "the game was not over"),
    "another action forged": (forge(other_action), "line"),
    "an illegal action forged": (forge(illegal_action), "action 0 is not legal"),
    "another starter forged": (forge(other_starter), "action is"),
    "another seed forged": (
        forge(lambda lines: lines[-1].update(seed="0" * 32)), "commitment is"
    ),
    "points forged": (forge(more_points), "points is"),
    "a forfeit forged": (forge(forfeit), "ending is"),
    "a fault taken out of a record": (
        forge(lambda lines: [each.pop("fault", 0) for each in lines], FAULTY), "faults is"
    ),
    "a text forged": (
        forge(lambda lines: first_bot(lines).update(text="a9")), 'text is "a9"'
    ),
    "an actor forged": (forge(lambda lines: first_bot(lines).update(by="human")), "by is"),
    "the wrong player": (
        forge(lambda lines: first_bot(lines).update(player=1 - first_bot(lines)["player"])),
        "player is",
    ),
    "bots of a record exchanged": (
        forge(lambda lines: lines[0]["bots"].reverse()), "bots is"
    ),
    "contents of a record exchanged": (forge(swap_contents), "content is"),
    "limits of a record": (
        forge(lambda lines: lines[0]["limits"].update(move_seconds=1.0)), "limits is"
    ),
    "costs of a record": (forge(lambda lines: lines[0]["costs"].update(crash="game")), "costs is"),
    "rules of a record": (forge(lambda lines: lines[0].update(rules=2)), "rules is 2"),
    "parameters of a record": (
        forge(lambda lines: lines[0]["parameters"].update(voluntary_pass=False)), "is"
    ),
    "not a record": (lambda f: f.keep(b"[]\n"), "its chain does not match"),
    "seed of the contest": (
        lambda f: f.configuration(lambda found: found.update(seed="0" * 32), drawn=True),
        'seed is "00000000000000000000000000000000"',
    ),
    "seed in its own column": (
        lambda f: f.change("UPDATE contest SET seed = 'x' WHERE seed <> ''"), 'seed is "x"'
    ),
    "public value": (
        lambda f: f.configuration(lambda c: c["seal"].update(public="dice 6 6 6"), drawn=True),
        "seed is",
    ),
    "no public value": (
        lambda f: f.configuration(lambda c: c["seal"].update(public=None), drawn=True), "seed is"
    ),
    "a rule changed": (
        lambda f: f.configuration(lambda c: c.update(move_seconds=99.0)), "seal is"
    ),
    "a bot's memory changed": (
        lambda f: f.configuration(lambda c: c["bots"][0].update(memory_mb=64)), "seal is"
    ),
    "a bot's hash changed": (
        lambda f: f.configuration(lambda c: c["seal"]["contents"].update(failing="0" * 32)),
        "seal is",
    ),
    "a bot's name changed": (
        lambda f: f.configuration(lambda c: c["bots"][1].update(name="other")), "KeyError"
    ),
    "seal of the last configuration taken off": (
        lambda f: f.configuration(lambda c: c["seal"].update(seal="0000-0000-0000-0000")),
        "seal is",
    ),
    "a column that is no JSON": (
        lambda f: f.change("UPDATE games SET returns = 'x' WHERE number = 1"), "JSONDecodeError"
    ),
    "a table deleted": (lambda f: f.change("DROP TABLE seats"), "no such table: seats"),
    "standings.json: a place": (
        lambda f: f.standings(lambda told: told["standings"][1].update(rank=1)), "rank is 1"
    ),
    "standings.json: a win": (
        lambda f: f.standings(lambda told: told["standings"][0].update(won=99)), "won is 99"
    ),
    "standings.json: the order": (
        lambda f: f.standings(lambda told: told["standings"].reverse()), "name is"
    ),
    "standings.json: a score": (
        lambda f: f.standings(lambda told: told["standings"][0].update(score=0.5)), "score is 0.5"
    ),
    "standings.json: an interval": (
        lambda f: f.standings(lambda told: told["standings"][0].update(interval=[0, 1])),
        "interval is",
    ),
    "standings.json: faults": (
        lambda f: f.standings(lambda told: told["standings"][-1].update(faults=[])), "faults is []"
    ),
    "standings.json: somebody disqualified": (
        lambda f: f.standings(lambda told: told["standings"][0].update(disqualified=[1])),
        "disqualified is [1]",
    ),
    "standings.json: games": (
        lambda f: f.standings(lambda told: told.update(done=11)), "done is 11"
    ),
    "standings.json: the value": (
        lambda f: f.standings(lambda told: told["seal"].update(public="dice 1")), "seal is"
    ),
    "standings.json: deleted": (
        lambda f: (f.results / "standings.json").unlink(), "FileNotFoundError"
    ),
}  # fmt: skip


UNLINKED = ("line-up missing", "a table deleted")  # nobody could chain the rows of these anew


@pytest.mark.parametrize("name", TAMPERINGS)
def test_every_tampering_is_found_even_where_the_rows_are_chained_anew(forger, verify, name):
    tamper, sentence = TAMPERINGS[name]
    tamper(forger)
    if name not in UNLINKED:
        forger.link()
    forger.close()
    code, out = verify(forger.results)
    assert code == 1, out
    assert out.startswith("DIFFERS: ")
    assert sentence in out


ROWS = ("contest", "games", "lineups", "marks", "notes", "seats")
"""The tables whose rows are chained."""


def columns() -> list[tuple[str, str]]:
    """All columns of them but their numbers, which the others are found by."""
    found = [(table, column.name) for table in ROWS for column in metadata.tables[table].c]
    return [each for each in found if each[1] not in ("number", "game", "seat", "lineup")]


@pytest.mark.parametrize(("table", "column"), columns())
def test_any_change_of_a_row_is_found_by_its_link(linked, verify, table, column):
    key = "game" if table == "seats" else "number"
    linked.change(f"UPDATE {table} SET {column} = '[1]' WHERE {key} = 1")
    linked.close()
    code, out = verify(linked.results)
    assert (code, out.startswith("DIFFERS: ")) == (1, True), out


def test_a_printed_link_is_in_the_chain(linked, verify):
    last = verify(linked.results)[1].splitlines()[-2]
    assert last.startswith("proof of ")
    earlier = linked.ask("SELECT hex(link) FROM links WHERE number = 3")
    for printed in (last, last.upper(), earlier, f"preuve de 3 lignes : {earlier.lower()}"):
        assert verify(linked.results, "--link", printed)[0] == 0
    code, out = verify(linked.results, "--link", "0" * 32)
    assert (code, out) == (
        1,
        f"DIFFERS: {'0' * 32} is no link of the chain: rows before it differ\n",
    )
    assert verify(linked.results, "--link", earlier[1:])[0] == 2


def test_who_changes_a_time_and_chains_all_anew_is_found_by_a_printed_link(linked, verify):
    last = verify(linked.results)[1].splitlines()[-2]
    assert last.startswith("proof of ")
    linked.change("UPDATE games SET played_at = '2020-01-01T00:00:00+00:00' WHERE number = 2")
    linked.link()
    linked.close()
    assert verify(linked.results)[0] == 0  # nothing but the link stands for it
    assert verify(linked.results, "--link", last)[0] == 1


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM links WHERE number = 5", "number is 6, expected 5"),
        ("DELETE FROM links WHERE number > 9", "rows without a link"),
        ("UPDATE links SET row = 99 WHERE number = 4", "the row that it stands for is gone"),
        ("UPDATE links SET link = zeroblob(16) WHERE number = 4", "link 4: link is"),
    ],
)
def test_a_broken_chain_is_found(linked, verify, statement, told):
    linked.change(statement)
    linked.close()
    code, out = verify(linked.results)
    assert (code, told in out) == (1, True), out


def test_another_seal_than_that_of_the_blackboard_is_found(played, verify):
    code, out = verify(played, "--seal", "7XXC-S7FY-0M3E-WYKA")
    assert code == 1
    assert 'expected "7XXC-S7FY-0M3E-WYKA"' in out


def test_a_mark_made_by_hand_changes_the_standings(forger, verify):
    identity = forger.ask("SELECT identity FROM games WHERE number = 1")
    mark = ("annulled", identity, "nobody", "why not", "2026-01-01T00:00:00+00:00")
    forger.change("INSERT INTO marks VALUES (1, ?, ?, ?, ?, ?)", *mark)
    forger.link()
    forger.close()
    assert verify(forger.results)[0] == 1
