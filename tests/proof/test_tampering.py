"""Whatever a hand changes in the results of a contest is found, and the right thing is said."""

import json
import re
import shutil

import pytest
from helpers import some
from proof.tampering import Copy, executed, relinked, rewritten

from joute.cli.main import main
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game
from joute.store.store import Store

pytestmark = pytest.mark.game("virus")

SECOND = "(SELECT identity FROM games WHERE number = 2)"
MARK = "INSERT INTO marks VALUES (3, 'disqualified', 'greedy', 'me', 'so', '{}')"
NOW = "2026-01-01T00:00:00+00:00"


def retold(change):
    """A hand that changes the data of standings.json."""

    def hand(copy):
        path = copy.results / "standings.json"
        data = json.loads(path.read_text())
        path.write_text(json.dumps(change(data)))

    return hand


def reworded(*changes):
    """A hand that changes standings.txt: patterns, each with what comes in its place."""

    def hand(copy):
        path = copy.results / "standings.txt"
        text = path.read_text()
        for pattern, new in changes:
            text, count = re.subn(pattern, new, text)
            assert count
        path.write_text(text)

    return hand


def turned_over(data):
    """Standings whose first and last have changed places, as if of before all games."""
    first, *others, last = data["standings"]
    return without(data, "link") | {"standings": [last, *others, first], "done": 0}


def without(data, name):
    return {key: value for key, value in data.items() if key != name}


EXCHANGED = [
    f"UPDATE lineups SET number = {new} WHERE number = {old}"
    for old, new in ((1, -1), (2, 1), (-1, 2))
]

BY_HAND = {
    # The sixteen that were tried first.
    "winner and loser exchanged": (
        executed("UPDATE games SET returns = '[0.5,-0.5]' WHERE number = 2"),
        r"its returns are \[0\.5, -0\.5\], its record says \[-?1\.0, -?1\.0\]",
    ),
    "points": (executed("UPDATE seats SET points = 99 WHERE game = 5"), "its points are"),
    "a game with its record and seats deleted": (
        executed(
            *(
                f"DELETE FROM {t} WHERE {c} = 4"
                for t, c in (("games", "number"), ("records", "game"), ("seats", "game"))
            )
        ),
        "row 4 of table games is gone: link 5 stands for it",
    ),
    "a game with its link deleted too": (
        executed(
            *(
                f"DELETE FROM {t} WHERE {c} = 4"
                for t, c in (("games", "number"), ("records", "game"), ("seats", "game"))
            ),
            "DELETE FROM links WHERE kind = 'game' AND \"row\" = 4",
        ),
        "the links 5 to 5 of the chain are gone",
    ),
    "seats deleted": (executed("DELETE FROM seats WHERE game = 3"), "column lineup holds 2 seats"),
    "faults invented": (
        executed(
            'UPDATE games SET faults = \'[{"seat":0,"ply":3,"fault":"crash",'
            '"detail":"x","cost":"game"}]\' WHERE number = 1'
        ),
        "its faults are .*'crash'.*, its record says",
    ),
    "faults taken away": (
        executed("UPDATE games SET faults = '' WHERE faults <> ''"),
        r"its faults are \[\], its",
    ),
    "bots of a line-up exchanged": (
        executed(*EXCHANGED),
        r"it has the bots \[.*\], its record says",
    ),
    "a mark inserted": (
        executed(MARK.format(NOW)),
        "table marks: row 3 belongs to nothing",
    ),
    "negative times": (
        executed("UPDATE seats SET cpu_ms = -1 WHERE game = 2"),
        "is below zero",
    ),
    "the layout deleted": (executed("DELETE FROM meta"), "no row of 'meta' says of which layout"),
    "returns that are no JSON": (
        executed("UPDATE games SET returns = 'oops' WHERE number = 2"),
        "table games, row 2: column returns holds oops, which is never written there",
    ),
    "a line-up that is not there": (
        executed("UPDATE games SET lineup = 77 WHERE number = 2"),
        "row 77: column bots holds None",
    ),
    "a record deleted": (
        executed("DELETE FROM records WHERE game = 2"),
        "the store has this game, its record is gone",
    ),
    "records exchanged": (
        executed(
            "UPDATE records SET game = -2 WHERE game = 2",
            "UPDATE records SET game = 2 WHERE game = 3",
            "UPDATE records SET game = 3 WHERE game = -2",
        ),
        "its record is of another game: [0-9a-f]{32}",
    ),
    "the layout changed": (
        executed("UPDATE meta SET value = '3'"),
        "says that it is of layout 3, and has 'links'",
    ),
    # And as many more.
    "plies": (executed("UPDATE games SET plies = plies + 1 WHERE number = 2"), r"it has \d+ plies"),
    "ending": (
        executed("UPDATE games SET ending = 'forfeit' WHERE number = 2"),
        "its ending is forfeit",
    ),
    "hash of the record": (
        executed("UPDATE games SET chain = 'abc' WHERE number = 2"),
        "another last hash",
    ),
    "name of the record": (
        executed("UPDATE games SET record = '' WHERE number = 2"),
        "its record is called ''",
    ),
    "identity": (
        executed("UPDATE games SET identity = '" + "0" * 32 + "' WHERE number = 2"),
        "its record is called",
    ),
    "set": (
        executed("UPDATE games SET set_number = 7 WHERE number = 2"),
        "from another seed than the schedule gives to set 7",
    ),
    "members": (
        executed('UPDATE lineups SET members = \'["greedy","clumsy"]\' WHERE number = 1'),
        "the group greedy, clumsy, which are not its bots in alphabetical order",
    ),
    "map": (
        executed("UPDATE lineups SET map = 'duel' WHERE number = 1"),
        "it was played on the map 'duel'",
    ),
    "played before its configuration": (
        executed(f"UPDATE games SET played_at = '{NOW[:3]}1{NOW[4:]}' WHERE number = 2"),
        "it was played at 2021-01-01.*, before its configuration came into force",
    ),
    "played in the future": (
        executed("UPDATE games SET played_at = '2999-01-01T00:00:00+00:00' WHERE number = 2"),
        "which is in the future",
    ),
    "played at no time": (
        executed("UPDATE games SET played_at = 'noon' WHERE number = 2"),
        "'noon', which is not a time",
    ),
    "played a second later": (
        executed(
            "UPDATE games SET played_at = replace(played_at, '+00:00', '.5+00:00') WHERE number = 2"
        ),
        "row 2 of table games was changed after it was written, or link 3 was",
    ),
    "isolation": (
        executed('UPDATE games SET isolation = \'["full","full"]\' WHERE number = 2'),
        r"its bots were held at \['full', 'full'\], its record says",
    ),
    "processor time": (
        executed("UPDATE seats SET cpu_ms = cpu_ms + 5 WHERE game = 2 AND seat = 0"),
        "used .* ms, its",
    ),
    "a thousandth of processor time": (
        executed("UPDATE seats SET cpu_ms = cpu_ms + 0.0001 WHERE game = 2 AND seat = 0"),
        "row 2 of table games was changed",
    ),
    "actions asked for": (
        executed("UPDATE seats SET asked = asked + 1 WHERE game = 2"),
        "actions asked for by seat",
    ),
    "a seat added": (
        executed(
            "INSERT INTO seats SELECT lineup, 2, game, 1, 1.0, 1 FROM seats "
            "WHERE game = 2 AND seat = 0"
        ),
        r"table seats has 27 rows, the games have 26",
    ),
    "a seat of no game": (
        executed("INSERT INTO seats VALUES (1, 0, 99, 1, 1.0, 1)"),
        "table seats: row 99 belongs to",
    ),
    "a line-up of no game": (
        executed("INSERT INTO lineups VALUES (99, '[\"x\"]', '[\"x\"]', '')"),
        "table lineups: row 99 belongs to nothing",
    ),
    "a line-up of strangers": (
        executed('UPDATE lineups SET bots = \'["x","y"]\' WHERE number = 1'),
        r"the bots \['x', 'y'\]",
    ),
    "a record of no game": (
        executed("INSERT INTO records SELECT 99, content FROM records WHERE game = 1"),
        "table records: row 99 belongs to nothing",
    ),
    "a game without a link": (
        executed(
            "INSERT INTO games SELECT 99, '" + "0" * 32 + "', lineup, set_number, ending, "
            "returns, plies, faults, chain, record, played_at, isolation FROM games "
            "WHERE number = 1"
        ),
        "table games: row 99 belongs to nothing",
    ),
    "a mark deleted": (
        executed("DELETE FROM marks WHERE number = 1"),
        "row 1 of table marks is gone",
    ),
    "a mark deleted with its link": (
        executed(
            "DELETE FROM marks WHERE number = 2",
            "DELETE FROM links WHERE kind = 'mark' AND \"row\" = 2",
        ),
        r"standings.json counted 17 rows, the store has 16: the last ones are gone",
    ),
    "the reason of a mark": (
        executed("UPDATE marks SET why = 'nothing' WHERE number = 1"),
        "row 1 of table marks was changed",
    ),
    "who made a mark": (
        executed("UPDATE marks SET who = ' ' WHERE number = 1"),
        "says neither who",
    ),
    "clock of a mark": (
        executed(f"UPDATE marks SET made_at = '{NOW}' WHERE number = 2"),
        "decision 2 on random was made at .*, before the one before it",
    ),
    "kind of a mark": (
        executed("UPDATE marks SET kind = 'praised' WHERE number = 1"),
        "column kind holds praised",
    ),
    "subject of a mark": (
        executed("UPDATE marks SET subject = 'nobody' WHERE number = 2"),
        "decision 2 is on nobody, which the contest did not have then",
    ),
    "the seed": (
        executed("UPDATE contest SET seed = 'x'"),
        "table contest, row 1: column seed holds x",
    ),
    "a rule of the configuration": (
        executed(
            "UPDATE contest SET configuration = replace(configuration, "
            "'\"move_seconds\":10.0', '\"move_seconds\":99.0') WHERE number = 1"
        ),
        "row 1 of table contest was changed after it was written, or link 1 was",
    ),
    "a configuration that is no JSON": (
        executed("UPDATE contest SET configuration = '{' WHERE number = 1"),
        "column configuration holds {",
    ),
    "contents of the bots": (
        executed('UPDATE contest SET contents = \'{"greedy":"x"}\' WHERE number = 1'),
        "row 1 of table contest was changed",
    ),
    "a configuration deleted": (
        executed("DELETE FROM contest WHERE number = 1"),
        "row 1 of table contest is gone",
    ),
    "all configurations deleted": (
        executed("DELETE FROM contest"),
        "table contest, row 1: column configuration holds nothing",
    ),
    "a link changed": (
        executed(
            "UPDATE links SET link = (SELECT link FROM links WHERE number = 1) WHERE number = 10"
        ),
        "or link 10 was, which stands for it",
    ),
    "links exchanged": (
        executed(
            'UPDATE links SET "row" = 3 WHERE number = 3',
            'UPDATE links SET "row" = 2 WHERE number = 4',
        ),
        "row 3 of table games stands where row 2 was to come",
    ),
    "kind of a link": (
        executed("UPDATE links SET kind = 'mark' WHERE number = 3"),
        "row 2 of table marks",
    ),
    "number of a link": (
        executed("UPDATE links SET number = 99 WHERE number = 17"),
        "the links 17 to 98 of the chain",
    ),
    "all links deleted": (executed("DELETE FROM links"), "table contest: row 1 belongs to nothing"),
    "a key of the program's own": (
        executed("INSERT INTO meta VALUES ('x', 'y')"),
        "table meta: row x belongs to nothing",
    ),
    "the last rows with their links": (
        executed(
            "DELETE FROM marks WHERE number = 2",
            "DELETE FROM games WHERE number = 13",
            "DELETE FROM seats WHERE game = 13",
            "DELETE FROM records WHERE game = 13",
            "DELETE FROM links WHERE number > 15",
        ),
        r"standings.json counted 17 rows, the store has 15",
    ),
    # By somebody who computes the links anew.
    "returns, relinked": (
        relinked("UPDATE games SET returns = '[0.5,-0.5]' WHERE number = 2"),
        "its returns are",
    ),
    "set, relinked": (
        relinked("UPDATE games SET set_number = 1 WHERE number = 1"),
        "from another seed than the schedule gives to set 1",
    ),
    "seats exchanged, relinked": (
        relinked(*EXCHANGED),
        r"it has the bots \[.*\], its record says",
    ),
    "processor time, relinked": (
        relinked("UPDATE seats SET cpu_ms = cpu_ms + 5 WHERE game = 2 AND seat = 0"),
        "used .* ms, its",
    ),
    "a rule of the configuration, relinked": (
        relinked(
            "UPDATE contest SET configuration = replace(configuration, "
            "'\"move_seconds\":10.0', '\"move_seconds\":99.0')"
        ),
        "its record was played under limits .*, configuration 1 says",
    ),
    "seed of the configuration, relinked": (
        relinked(
            "UPDATE contest SET configuration = replace(configuration, "
            '\'"seed":"cup"\', \'"seed":"pot"\'), seed = \'pot\''
        ),
        "from another seed than the schedule gives to set 0",
    ),
    "contents of the bots, relinked": (
        relinked(
            'UPDATE contest SET contents = replace(contents, \'"greedy":"\', \'"greedy":"0\')'
        ),
        "greedy played it with the files [0-9a-f]{32}, configuration 1 says 0",
    ),
    "a mark, relinked": (
        relinked("UPDATE marks SET why = 'nothing' WHERE number = 1"),
        "standings.json was made from other rows",
    ),
    "mark before its game, relinked": (
        relinked("UPDATE marks SET subject = 'nobody', kind = 'annulled' WHERE number = 1"),
        "decision 1 is on nobody",
    ),
    # Files.
    "standings.json": (
        rewritten("standings.json", '"won": 8', '"won": 9'),
        r"standings.json: standings\[1\]\.\S+ is 9",
    ),
    "number of games in standings.json": (
        rewritten("standings.json", '"done": 12', '"done": 11'),
        "standings.json: done is 11, the rows",
    ),
    "standings.json without its link": (
        rewritten("standings.json", '"rows": 17', '"lines": 17'),
        "standings.json: lines is 17",
    ),
    "standings.json that is no JSON": (
        rewritten("standings.json", "{", "["),
        "standings.json cannot be read",
    ),
    "standings.txt": (
        rewritten("standings.txt", "greedy", "Greedy"),
        r"standings.txt, line \d+: .*Greedy",
    ),
    "standings.json turned over, without its link": (
        retold(turned_over),
        r"standings.json: done is 0, ",
    ),
    "standings.json whose link is cut off": (
        rewritten("standings.json", '"link"', '"lines"'),
        "standings.json: lines is ",
    ),
    "standings.json without standings": (
        retold(lambda data: without(data, "standings")),
        "standings.json: standings is -, ",
    ),
    "standings.json without its decisions": (
        retold(lambda data: without(data, "decisions")),
        "standings.json: decisions is -, ",
    ),
    "standings.json in which a bot has no faults": (
        retold(
            lambda data: data | {"standings": [without(e, "faults") for e in data["standings"]]}
        ),
        r"standings.json: standings\[1\]\.faults is -, ",
    ),
    "standings.json that tells nothing": (
        retold(lambda data: None),
        "standings.json: contest is -, ",
    ),
    "standings.json of no rows": (
        retold(lambda data: data | {"rows": -1}),
        "standings.json: rows is -1, ",
    ),
    "standings.json of more rows than there can be": (
        retold(lambda data: data | {"rows": 10**30}),
        "standings.json: rows is 10+, ",
    ),
    "standings.txt with other words for its games and its proof": (
        reworded(
            ("greedy", "x"),
            ("12 games played", "12 games were played"),
            ("proof of", "proof, by heart, of"),
        ),
        r"standings.txt, line 1: .*were played",
    ),
    "the proof in standings.txt": (
        reworded(("(proof of 17 rows: )....", r"\g<1>0000")),
        r"standings.txt, line \d+: .*: 0000 ",
    ),
    "standings.txt without its proof": (
        reworded(("\nproof of .*\n", "")),
        r"standings.txt, line \d+: ",
    ),
}


@pytest.mark.parametrize("hand", BY_HAND)
def test_what_a_hand_changes_is_found_and_told(copy, hand):
    change, sentence = BY_HAND[hand]
    assert copy.first() == ""
    change(copy)
    assert re.search(sentence, copy.first())


@pytest.mark.full
@pytest.mark.parametrize("hand", some(BY_HAND, 4))
def test_no_command_comes_to_grief_with_what_a_hand_has_changed(in_file, hand, capsys):
    BY_HAND[hand][0](in_file)
    for command in (["contest", "standings"], ["contest", "audit"]):
        assert main([*command, str(in_file.file)]) in (0, 1, 2)
    out = in_file.file.parent / "out"
    assert main(["export", str(in_file.file), "--format", "csv", "-o", str(out)]) in (0, 1, 2)
    assert main(["--lang", "fr", "verify", str(in_file.results)]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_an_untouched_contest_is_true(copy):
    proof = copy.verified()
    assert (proof.differences, proof.games, proof.records) == ([], 13, 13)
    with Store(copy.url) as store:
        assert proof.link == store.last_link()
    assert proof.link.number == 17


def test_a_link_that_was_printed_is_found_in_the_chain(copy):
    with Store(copy.url) as store:
        link = store.link_at(10)
    assert copy.verified(link).at == 10
    assert copy.first(link) == ""


def test_marks_that_were_changed_with_all_links_are_found_by_a_link_that_was_printed(copy):
    with Store(copy.url) as store:
        printed = store.last_link()
    copy.run("UPDATE marks SET why = 'nothing'")
    copy.relink()
    for name in ("standings.json", "standings.txt"):
        (copy.results / name).unlink()
    assert copy.first() == ""
    assert f"{printed.shown()} is not a link of this contest’s chain" in copy.first(printed.link)


def test_the_store_of_another_contest_in_its_place_is_found(in_file, original, tmp_path):
    other = Copy(original, tmp_path / "other", None)
    other.run("UPDATE marks SET made_at = made_at || ''", "UPDATE marks SET who = 'somebody'")
    other.relink()
    shutil.copy(other.results / "contest.sqlite", in_file.results / "contest.sqlite")
    assert "standings.json was made from other rows" in in_file.first()


def test_a_second_store_beside_the_first_is_found(in_file, server):
    (in_file.results / "store").write_text(f"{server.url()}\n")
    assert "has both contest.sqlite and store" in in_file.first()


def test_a_record_of_another_contest_is_found(in_file):
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("greedy", "clumsy"))
    game = GameSpec(game="virus", parameters={"size": 4}, bots=seats, seed="0" * 32)
    with Store(in_file.url) as store:
        name = next(iter(store.games()))
    (in_file.results / "records" / f"{name}.jsonl").write_bytes(play_game(game).record)
    assert "its record is of another game" in in_file.first()


def test_bots_may_be_gone(copy):
    (copy.file.parent / "clumsy.py").unlink()
    assert copy.first() == ""


@pytest.mark.parametrize("time", ["9e999", "-9e999"])
def test_a_time_that_is_infinite_is_told_by_every_command(in_file, time, capsys):
    in_file.run(f"UPDATE seats SET cpu_ms = {time} WHERE game = 2")
    out = in_file.file.parent / "out"
    for words, code in (
        (["contest", "standings", in_file.file], 2),
        (["contest", "audit", in_file.file], 2),
        (["export", in_file.file, "--format", "csv", "-o", out], 2),
        (["verify", in_file.results], 1),
    ):
        assert main([str(word) for word in words]) == code
        told = capsys.readouterr()
        assert "which is never written there" in told.out + told.err


def of_another_version(data):
    """Standings as a version of Joute wrote them that computes ratings otherwise."""
    lines = [line | {"rating": {"elo": 5000.0}} for line in data["standings"]]
    return without(data, "figures") | {"standings": lines}


def test_ratings_of_another_version_are_not_compared_which_is_told(in_file, capsys):
    retold(of_another_version)(in_file)
    proof = in_file.verified()
    assert (proof.differences, proof.other_figures) == ([], ["standings.json"])
    assert main(["verify", str(in_file.results)]) == 0
    assert "ratings in standings.json were computed by another version" in capsys.readouterr().out


def test_all_else_is_compared_whatever_version_made_the_ratings(in_file):
    retold(lambda data: turned_over(of_another_version(data)) | {"done": data["done"]})(in_file)
    assert "standings.json" in in_file.first()


def test_ratings_of_this_version_are_compared(in_file):
    retold(lambda data: of_another_version(data) | {"figures": data["figures"]})(in_file)
    assert re.search(r"standings\.json: standings\[1\]\.rating", in_file.first())
