"""The ladder of a contest that takes bots: who is in it, by which name, who sees what of it."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from argon2 import PasswordHasher
from cli.apart import environment
from helpers import wait_until
from web.entered import TOML, Reception

from joute.play.record import read_record
from joute.play.verify import verify_record
from joute.web.contests.child import ladder_contest
from joute.web.registration import jobs, ladder
from joute.web.registration.ladder import Ladders, _alias, _latest
from joute.web.registration.store import utc
from joute.web.settings import Settings

pytestmark = [pytest.mark.game("virus"), pytest.mark.full]

PASSWORD = "correct horse"
HASH = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
TALKS = b"""
def play(observation, clock):
    print("printed by NAME")
    if observation["scores"][0] + observation["scores"][1] == 6:
        raise KeyError("error of NAME")
    return {"action": observation["legal"][0], "message": "said by NAME"}
"""


@pytest.fixture
def receive(serve, tmp_path, monkeypatch):
    """Opens a contest with a ladder of that kind; every bot that is handed in is clean."""
    found = json.dumps([{"check": "games", "ok": True, "said": "all legal", "detail": []}])
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", f"print({found!r})"))
    made = []

    def start(kind, at="upload"):
        text = TOML + f'[show]\nladder = "{kind}"\nladder_at = "{at}"\n'
        site = serve(Settings(data=tmp_path / "data", password=HASH))  # guests are not organisers
        site.post("/login", data={"password": PASSWORD, "back": "/"})
        made.append(Reception(site, text))
        return made[-1]

    yield start
    for each in made:
        each.close()


def handed_in(reception, *names):
    """Participants who have handed in a bot that talks."""
    guests = []
    for name in names:
        guest = reception.participant(name)
        guest.upload(TALKS.replace(b"NAME", name.lower().encode()))
        guest.settled()
        guests.append(guest)
    return guests


def ranked(guest, *names):
    """The participant's page once all of these are in the ladder, and nothing is being played."""

    def there():
        page = guest.get().text
        rows = page.partition('class="ladder"')[2].partition("</table>")[0]
        whole = all(name in rows for name in names) and "data-busy" not in page
        return page if whole else ""

    return wait_until(there, what="the ladder")


def games_of(page):
    return re.findall(r'href="(/contests/[^/"]+/games/[0-9a-f]+)"', page)


def test_a_ladder_is_waited_for_until_its_process_runs(receive, monkeypatch):
    waited = []
    start = Ladders.start

    def begin(ladders, entry):
        waited.append((entry.ladder_of, ladders.waits(entry)))
        start(ladders, entry)

    monkeypatch.setattr(Ladders, "start", begin)
    reception = receive("named")
    (ann,) = handed_in(reception, "Ann")
    ranked(ann, "Ann", "greedy")
    assert waited == [("Ann:1", True)]
    assert not reception.service.ladders.waits(reception.registration)


def test_bots_are_ranked_as_they_come_in_and_participants_alone_see_it(receive):
    reception = receive("named")
    ann, bob = handed_in(reception, "Ann", "Bob")
    page = ranked(ann, "Ann", "Bob", "greedy")
    address = re.search(r'href="(/contests/[^/"]+)">All of it', page)[1]
    assert bob.get(address).status_code == 200 and "Ann" in bob.get(address).text
    stranger = reception.stranger()
    assert stranger.get(address).status_code == 404
    assert address not in stranger.get("/contests").text
    game = games_of(page)[0]
    for path in (game, f"{game}/record.jsonl", f"{game}/game.json"):
        assert stranger.get(path).status_code == 404


def test_one_s_own_records_lack_the_words_of_the_others_and_are_proved(receive, tmp_path):
    reception = receive("named")
    ann, _ = handed_in(reception, "Ann", "Bob")
    page = ranked(ann, "Ann", "Bob")
    game = next(each for each in games_of(page) if "Bob" in ann.get(each).text)
    record = ann.get(f"{game}/record.jsonl").content
    assert b"said by ann" in record and b"error of ann" in record
    assert b"by bob" not in record and b"error of bob" not in record
    assert str(tmp_path).encode() not in record
    verdict = verify_record(record, partial=True)
    assert verdict.ok and verdict.withheld
    command = re.search(r'"see":"(joute replay [^"]+)"', ann.get(f"{game}/game.json").text)[1]
    name = command.split()[2]
    (tmp_path / name).write_bytes(record)
    last = read_record(record, partial=True).end["plies"]
    words = [sys.executable, "-m", *command.replace("{ply}", str(last - 1)).split()]
    done = subprocess.run(
        words, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "Ann" in done.stdout


def test_nobody_is_named_in_an_anonymous_ladder(receive):
    reception = receive("anonymous")
    ann, bob = handed_in(reception, "Ann", "Bob")
    aliases = [re.search(r"stands there as (Bot \d+)", each.get().text)[1] for each in (ann, bob)]
    page = ranked(bob, *aliases)
    assert "Ann" not in page
    address = re.search(r'href="(/contests/[^/"]+)">All of it', page)[1]
    assert "Ann" not in bob.get(address).text
    record = bob.get(f"{games_of(page)[0]}/record.jsonl").text
    assert '"Ann"' not in record and '"Bob"' not in record and "said by bob" in record


def bots_of(client, game, way="record.jsonl"):
    """The bots in the header of a game's record, by name, and the whole text."""
    answer = client.get(f"{game}/{way}")
    assert verify_record(answer.content, partial=True).ok
    return {each["name"]: each for each in json.loads(answer.text.splitlines()[0])["bots"]}, answer


def test_no_file_tells_who_stands_under_an_alias(receive):
    reception = receive("anonymous")
    ann, bob = handed_in(reception, "Ann", "Bob")
    aliases = [re.search(r"stands there as (Bot \d+)", each.get().text)[1] for each in (ann, bob)]
    page = ranked(bob, *aliases)
    game = next(each for each in games_of(page) if aliases[0] in bob.get(each).text)
    for path, way in ((game, "record.jsonl"), (f"/api{game}", "record")):
        bots, answer = bots_of(bob, path, way)
        assert (bots[aliases[0]]["bot"], bots[aliases[0]]["content"]) == ("", "")
        assert bots[aliases[1]]["bot"] == "bot.py" and bots[aliases[1]]["content"]
        assert not any(each.identity in answer.text for each in reception.registration.participants)
    whole, _ = bots_of(reception.site, game)
    assert whole[aliases[0]]["content"] and whole[aliases[0]]["bot"].endswith("/1/bot.py")
    reception.organise("run")
    control = reception.service.control
    wait_until(lambda: control.stage(reception.registration) == "finished", what="the games")
    reception.organise("publish")
    reception.organise("messages", messages="true")
    results = control.address(reception.registration)
    games = reception.stranger().get(f"/api{results}/games?bot=Ann&bot=Bob").json()
    bots, answer = bots_of(reception.stranger(), games[0]["address"])
    assert [(bots[name]["bot"], bots[name]["content"]) for name in ("Ann", "Bob")] == [("", "")] * 2
    assert not any(each.identity in answer.text for each in reception.registration.participants)
    assert "said by ann" in answer.text
    bots, _ = bots_of(ann, games[0]["address"])
    assert bots["Ann"]["content"] == whole[aliases[0]]["content"]


def test_records_of_a_ladder_with_names_have_the_hashes_of_files_but_no_folder(receive):
    reception = receive("named")
    _, bob = handed_in(reception, "Ann", "Bob")
    page = ranked(bob, "Ann", "Bob")
    game = next(each for each in games_of(page) if "Ann" in bob.get(each).text)
    bots, _ = bots_of(bob, game)
    assert bots["Ann"]["bot"] == bots["Bob"]["bot"] == "bot.py"
    assert bots["Ann"]["content"] and bots["Bob"]["content"]
    bob.post("/submit/ladder", hidden="true")
    alias = re.search(r"stands there as (Bot \d+)", bob.get().text)[1]
    page = ranked(bob, "Ann", alias)
    game = next(each for each in games_of(page) if "Ann" in bob.get(each).text)
    bots, _ = bots_of(reception.participant("Eve"), game)
    assert bots[alias]["content"] == ""


@pytest.mark.parametrize("kind", ["anonymous", "named"])
def test_no_order_tells_who_stands_under_an_alias(receive, monkeypatch, kind):
    given = iter(("Bot 700", "Bot 300", "Bot 500"))
    monkeypatch.setattr(ladder, "_alias", lambda taken: next(given))
    reception = receive(kind, at="03:00")
    reception.service.ladders.close()
    handed_in(reception, "Zoé", "Ann", "Bob")
    entry, ladders = reception.registration, reception.service.ladders
    if kind == "named":
        for participant in entry.participants[:2]:
            ladders.hide(entry, participant, True)
    names = [bot.name for bot in ladders.contest(entry).bots]
    hidden = (
        ["Bot 300", "Bot 500", "Bot 700"] if kind == "anonymous" else ["Bob", "Bot 300", "Bot 700"]
    )
    assert names == ["greedy", *hidden]


def test_a_class_however_large_has_an_alias_for_everybody():
    taken = set()
    for _ in range(1000):
        taken.add(_alias(taken))
    assert len(taken) == 1000


def test_who_asks_for_it_stands_there_under_an_alias(receive):
    reception = receive("named")
    ann, bob = handed_in(reception, "Ann", "Bob")
    ranked(bob, "Ann", "Bob")
    assert ann.post("/submit/ladder", hidden="true").status_code == 303
    alias = re.search(r"stands there as (Bot \d+)", ann.get().text)[1]
    page = ranked(bob, alias, "Bob")
    assert "Ann" not in page


def test_a_participant_deletes_the_ladder_of_all_three_times_a_day_at_most(receive):
    reception = receive("named", at="03:00")
    ann, bob = (reception.participant(name) for name in ("Ann", "Bob"))
    forgotten = []
    reception.service.ladders.forget = forgotten.append
    for hidden in ("true", "true", "false", "true"):
        assert ann.post("/submit/ladder", hidden=hidden).status_code == 303
    assert len(forgotten) == 3
    assert ann.post("/submit/ladder", hidden="false").status_code == 429
    assert len(forgotten) == 3 and reception.registration.participants[0].hidden
    assert ann.post("/submit/ladder", hidden="true").status_code == 303
    assert bob.post("/submit/ladder", hidden="true").status_code == 303


def test_a_removed_participant_is_no_longer_in_the_ladder(receive):
    reception = receive("named")
    _, bob = handed_in(reception, "Ann", "Bob")
    ranked(bob, "Ann", "Bob")
    ann = reception.registration.participants[0]
    reception.organise(f"participants/{ann.identity}/remove")
    assert "Ann" not in ranked(bob, "Bob", "greedy")


@pytest.mark.parametrize("size", [5, 12])
def test_the_house_bots_of_a_ladder_are_some_that_play_the_board_of_the_contest(tmp_path, size):
    (tmp_path / "ann.py").write_bytes(TALKS)
    file = tmp_path / "contest.toml"
    file.write_text(f'[game]\nname = "virus"\nsize = {size}\n[[bots]]\nbot = "ann.py"\n')
    houses = [bot.bot for bot in ladder_contest(file).bots[1:]]
    assert houses == ["builtin:random", "builtin:greedy"]


def test_the_organiser_is_told_why_a_ladder_fails(receive, monkeypatch, capfd):
    failing = (sys.executable, "-c", "print('no bot for this board'); raise SystemExit(1)")
    monkeypatch.setattr(ladder, "COMMAND", failing)
    reception = receive("named")
    (ann,) = handed_in(reception, "Ann")
    ladders, entry = reception.service.ladders, reception.registration
    wait_until(lambda: ladders.trouble(entry), what="the failure")
    assert "no bot for this board" in reception.site.get(reception.address).text
    page = ann.get().text
    assert "cannot be played" in page and "it begins when" not in page
    assert "no bot for this board" not in page
    ladders.look()
    said = capfd.readouterr().err
    assert said.count("joute: Small: a ladder cannot be played: no bot for this board") == 1


def test_a_ladder_of_which_nothing_came_is_begun_once_more_by_the_next_server(receive, monkeypatch):
    begun = []
    monkeypatch.setattr(Ladders, "start", lambda _, entry: begun.append(entry.ladder_of))
    reception = receive("named", at="03:00")
    store, ladders = reception.service.store, reception.service.ladders
    ladders.close()
    handed_in(reception, "Ann")
    entry = reception.registration
    with store.changing(entry):
        entry.ladder_of, entry.ladder_begun = "Ann:1", utc(store.now())
    begun.clear()
    for _ in range(2):
        ladders.look()
        assert begun == ["Ann:1"]


@pytest.fixture
def nightly(receive, monkeypatch):
    """A contest with a ladder at 03:00, which is looked after by hand, and when it has begun."""
    begun = []
    monkeypatch.setattr(Ladders, "start", lambda _, entry: begun.append(entry.ladder_begun))
    reception = receive("named", at="03:00")
    reception.service.ladders.close()
    begun.clear()
    return reception, begun


def test_a_ladder_may_be_played_once_a_day(nightly):
    reception, begun = nightly
    store, ladders = reception.service.store, reception.service.ladders
    handed_in(reception, "Ann")
    entry = reception.registration
    night = datetime(2030, 1, 2, 2, 30, tzinfo=UTC)  # 03:30 in Paris
    for hours, count in ((0, 1), (1, 1), (25, 1)):
        store.now = lambda hours=hours: night + timedelta(hours=hours)
        ladders.look()
        assert len(begun) == count
    with store.changing(entry):
        entry.participants[0].versions.append(entry.participants[0].versions[0])
        entry.participants[0].versions[-1].number = 2
    ladders.look()
    assert len(begun) == 2


def test_a_ladder_begun_while_the_clock_was_wrong_does_not_wait_for_that_day(nightly):
    reception, begun = nightly
    store, ladders = reception.service.store, reception.service.ladders
    handed_in(reception, "Ann")
    store.now = lambda: datetime(2040, 1, 2, 12, 0, tzinfo=UTC)
    ladders.look()
    handed_in(reception, "Bob")
    store.now = lambda: datetime(2030, 1, 2, 12, 0, tzinfo=UTC)
    ladders.look()
    assert begun[-2:] == ["2040-01-02T12:00:00+00:00", "2030-01-02T12:00:00+00:00"]


@pytest.mark.parametrize(
    ("zone", "hour", "day", "starts"),
    [
        ("Europe/Paris", "02:30", "2027-03-28", "2027-03-28T01:30"),  # an hour that never comes
        ("Europe/Paris", "02:30", "2027-10-31", "2027-10-31T00:30"),  # one that comes twice
        ("Europe/Paris", "03:00", "2027-03-28", "2027-03-28T01:00"),
        ("Europe/Paris", "03:00", "2027-10-31", "2027-10-31T02:00"),
        ("America/St_Johns", "02:15", "2027-03-14", "2027-03-14T05:45"),
        ("America/St_Johns", "01:15", "2027-11-07", "2027-11-07T03:45"),
        ("Asia/Kathmandu", "00:00", "2027-03-28", "2027-03-27T18:15"),
        ("Pacific/Chatham", "03:00", "2027-09-26", "2027-09-25T14:15"),
        ("Pacific/Chatham", "03:00", "2027-04-04", "2027-04-03T13:15"),
    ],
)
def test_a_ladder_is_played_once_a_day_also_where_the_clocks_change(zone, hour, day, starts):
    place = ZoneInfo(zone)
    now = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=place).astimezone(UTC)
    begun = []
    while now.astimezone(place).date().isoformat() == day:
        latest = _latest(hour, place, now)
        assert now - timedelta(hours=25) <= latest <= now
        begun += [latest] if latest not in begun else []
        now += timedelta(minutes=5)
    own = [each for each in begun if each.astimezone(place).date().isoformat() == day]
    assert own == [datetime.fromisoformat(starts).replace(tzinfo=UTC)]
