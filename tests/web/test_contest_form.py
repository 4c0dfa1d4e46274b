"""A contest is made by a form that writes its file; form and file are one truth."""

import re
from html import unescape

import pytest
from web.entered import GOOD, LATER, TOML, ZONE, served

from joute.contest.config.writing import toml_text
from joute.host.toml import read_toml
from joute.web.errors import RequestRefusal
from joute.web.registration.contest_form import (
    contest_menu,
    merged,
    new_file,
    read_values,
)

pytestmark = pytest.mark.game("virus")

FILE = """# A remark.
[contest]
name = "Cup"
games = 2
seed = "dice"
[game]
name = "virus"
size = 8
[faults]
crash = "game"
[[bots]]
bot = "builtin:greedy?stray=0.6"
[[bots]]
bot = "builtin:flat?simulations=7"
name = "Own"
"""


@pytest.fixture
def reception(serve, tmp_path):
    made = served(serve, tmp_path)
    yield made
    made.close()


def fields(page):
    """The fields of the form as a browser would send them, unless something is changed."""
    form = page[page.index('class="making"') :]
    found = []
    for tag in re.findall(r"<input[^>]*>", form):
        known = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        kind = known.get("type", "text")
        if known.get("name") and (kind not in ("radio", "checkbox", "file") or " checked" in tag):
            found.append((known["name"], unescape(known.get("value", ""))))
    for name, inside in re.findall(r'<select[^>]* name="([^"]*)">(.*?)</select>', form, re.DOTALL):
        found.append((name, unescape(re.search(r'value="([^"]*)" selected', inside)[1])))
    text = re.search(r'name="toml"[^>]*>\n(.*?)</textarea>', form, re.DOTALL)[1]
    return [*found, ("toml", unescape(text))]


def sent(pairs, *changes):
    """The fields with some changed, as httpx sends them."""
    kept = [pair for pair in pairs if pair[0] not in {name for name, _ in changes}]
    found = {}
    for name, value in (*kept, *changes):
        found.setdefault(name, []).append(value)
    return found


def changed(text, **fields):
    """The file after a change of these fields of the form."""
    return read_toml(merged(text, text, {**read_values(text), **fields}))


def test_a_file_that_no_change_touches_keeps_every_letter():
    shown = {**read_values(FILE), "house": ("greedy?stray=0.6",)}  # the other is no level
    assert merged(FILE, FILE, shown) == FILE


def test_a_change_in_the_form_keeps_the_keys_that_it_does_not_know():
    found = changed(FILE, name="Cup 2", move_seconds="0.5", forbidden_imports="os, sys")
    assert found["contest"] == {"name": "Cup 2", "games": 2, "seed": "dice"}
    assert found["limits"] == {"move_seconds": 0.5}
    assert found["submission"] == {"forbidden_imports": ["os", "sys"]}
    assert found["faults"] == {"crash": "game"} and found["game"] == {"name": "virus", "size": 8}
    assert [each["bot"] for each in found["bots"]] == [
        "builtin:greedy?stray=0.6", "builtin:flat?simulations=7",
    ]  # fmt: skip


def test_form_and_file_may_both_be_changed_at_once():
    edited = FILE.replace("games = 2", "games = 4")
    found = read_toml(merged(edited, FILE, {**read_values(FILE), "name": "Cup 2"}))
    assert found["contest"] == {"name": "Cup 2", "games": 4, "seed": "dice"}


def test_house_bots_are_chosen_by_level_and_others_stay():
    house = [each.bot for each in contest_menu("virus").house]
    found = changed(FILE, house=(house[1], house[2]))
    assert [each["bot"] for each in found["bots"]] == [
        "builtin:flat?simulations=7", f"builtin:{house[1]}", f"builtin:{house[2]}",
    ]  # fmt: skip
    assert [each["name"] for each in found["bots"]] == ["Own", "Carrier", "Outbreak"]


def test_another_format_takes_the_keys_of_the_former_with_it():
    league = changed(FILE, format="league", opponents="3")
    assert league["contest"]["opponents"] == 3
    swiss = changed(toml_text(league), format="swiss")
    assert "opponents" not in swiss["contest"]
    house = [each.bot for each in contest_menu("virus").house]
    gauntlet = changed(new_file("virus"), format="gauntlet", house=(house[0],))
    assert gauntlet["contest"]["references"] == [gauntlet["bots"][0]["name"]]


@pytest.mark.parametrize(
    "data",
    [
        {"a": 1, "t": {"x": [1.5, True, "é\n\"\\"], "inner": {"y": "z"}}},
        {"odd key": "v", "list": [{"a": 1, "b": {"c": 2}}, {"a": {}}], "empty": []},
        {"mixed": [{"a": 1}, 2]},
    ],
)  # fmt: skip
def test_tables_are_written_so_that_they_are_read_the_same(data):
    assert read_toml(toml_text(data)) == data


def test_what_is_no_file_of_toml_is_refused():
    with pytest.raises(RequestRefusal, match="file is wrong"):
        merged("[contest", FILE, read_values(FILE))


def test_a_teacher_makes_a_contest_without_writing_a_file(reception):
    site = reception.site
    assert "/organise/new?game=virus" in site.get("/organise/new").text
    form = fields(site.get("/organise/new?game=virus").text)
    house = contest_menu("virus").house[:2]
    answer = site.post(
        "/organise/new",
        data=sent(
            form,
            ("name", "Class of 2027"),
            ("deadline", LATER),
            ("zone", ZONE),
            ("games", "4"),
            ("move_seconds", "0.5"),
            ("game.size", "6"),
            ("grace", "10"),
            ("late", "48"),
            *(("house", each.bot) for each in house),
        ),
    )
    assert answer.status_code == 303
    found = reception.service.store.find(answer.headers["location"].rpartition("/")[2])
    assert (found.name, found.grace_minutes, found.late_minutes) == ("Class of 2027", 10, 2880)
    data = read_toml(reception.service.store.contest(found).read_text())
    assert data["contest"] == {"name": "Class of 2027", "games": 4}
    assert data["game"] == {"name": "virus", "size": 6}
    assert len(data["bots"]) == 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("deadline", "2020-01-01T10:00"), "in the past"),
        (("late", "soon"), "expected a whole number"),
        (("games", "-1"), "contest.games"),
        (("game.size", "1000"), "game.size"),
        (("zone", "Mars"), "not a time zone"),
    ],
)
def test_a_form_that_makes_no_contest_comes_back_with_what_was_chosen(reception, change, reason):
    form = fields(reception.site.get("/organise/new?game=virus").text)
    values = [("name", "Mine"), ("deadline", LATER), ("zone", ZONE)]
    values = [each for each in values if each[0] != change[0]]
    answer = reception.site.post("/organise/new", data=sent(form, *values, change))
    assert answer.status_code == 422 and reason in unescape(answer.text)
    assert 'value="Mine"' in answer.text and len(list(reception.service.store)) == 1


def test_the_file_is_read_into_the_form(reception):
    form = fields(reception.site.get("/organise/new?game=virus").text)
    answer = reception.site.post("/organise/new", data=sent(form, ("toml", FILE), ("read", "1")))
    assert answer.status_code == 200
    assert ("name", "Cup") in fields(answer.text) and ("game.size", "8") in fields(answer.text)
    assert len(list(reception.service.store)) == 1


def test_a_contest_is_changed_until_its_first_game(reception, monkeypatch):
    form = fields(reception.site.get(f"{reception.address}/edit").text)
    answer = reception.organise("edit", **sent(form, ("name", "Other"), ("move_seconds", "3")))
    assert answer.status_code == 303 and reception.registration.name == "Other"
    text = reception.service.store.contest(reception.registration).read_text()
    assert read_toml(text)["limits"] == {"move_seconds": 3}
    monkeypatch.setattr(reception.service.control, "stage", lambda _: "paused")
    page = reception.site.get(f"{reception.address}/edit").text
    assert "cannot be changed any more" in page and '<fieldset class="plain" disabled' in page
    answer = reception.organise("edit", **sent(form, ("name", "Third")))
    assert answer.status_code == 422 and reception.registration.name == "Other"


def test_bots_that_were_handed_in_keep_the_game_and_are_checked_again(reception, monkeypatch):
    store, registration = reception.service.store, reception.registration
    store.take(registration, reception.invite("Ann"), GOOD, "bot.py", ".py").state = "done"
    checked = []
    monkeypatch.setattr(reception.service.jobs, "check", lambda *each: checked.append(each[2]))
    given = {"deadline": LATER, "zone": ZONE}
    other = TOML.replace('"virus"', '"tron"').replace("size = 4", "")
    assert "cannot be another one" in reception.organise("edit", toml=other, **given).text
    assert reception.organise("edit", toml=TOML, **given).status_code == 303 and not checked
    assert reception.organise("edit", toml=TOML + "#", **given).status_code == 303
    assert [each.number for each in checked] == [1]


def test_a_contest_is_copied_with_its_participants(reception):
    ann = reception.invite("Ann")
    page = reception.site.get(f"/organise/new?copy={reception.registration.identity}").text
    form = fields(page)
    assert ("name", "Small") in form
    answer = reception.site.post(
        "/organise/new", data=sent(form, ("zone", ZONE), ("people", "true"))
    )
    found = reception.service.store.find(answer.headers["location"].rpartition("/")[2])
    assert [each.name for each in found.participants] == ["Ann"]
    assert found.participants[0].key != ann.key


def test_no_house_bot_has_the_name_of_a_participant(reception):
    named = TOML + 'name = "Porteur"\n'
    given = {"deadline": LATER, "zone": ZONE}
    ann = reception.invite("Ann")
    assert reception.organise("edit", toml=named, **given).status_code == 303
    for path in ("participants", f"participants/{ann.identity}/name"):
        answer = reception.organise(path, name="PORTEUR")
        assert answer.status_code == 422 and "house bot of this contest is called" in answer.text
    listed = reception.organise("roster", text="Porteur\nZoé\n", sure="true")
    assert listed.status_code == 303
    assert [each.name for each in reception.registration.participants] == ["Ann", "Zoé"]
    taken = named.replace("Porteur", "Ann")
    assert "name of the participant Ann" in reception.organise("edit", toml=taken, **given).text
    copied = {"toml": taken, "copy": reception.registration.identity, "people": "true"}
    answer = reception.site.post("/organise/new", data=copied | given)
    assert answer.status_code == 422 and "name of the participant Ann" in answer.text
    assert len(list(reception.service.store)) == 1


def test_a_contest_is_deleted_with_all_its_data_once_its_name_is_typed(reception, tmp_path):
    store = reception.service.store
    store.take(
        reception.registration, reception.invite("Ann"), GOOD, "bot.py", ".py"
    ).state = "done"
    assert "Nothing was deleted" in reception.organise("delete", name="small").text
    assert list(tmp_path.rglob("bot.py"))
    answer = reception.organise("delete", name="Small")
    assert answer.headers["location"] == "/organise" and not list(tmp_path.rglob("bot.py"))
    assert reception.site.get(reception.address).status_code == 404


@pytest.mark.game("tron")
def test_the_pictures_of_maps_are_their_first_positions(reception):
    menu = contest_menu("tron")
    found = reception.site.get(f"/organise/maps/tron/{menu.maps[0]}.json").json()
    assert found["facts"]["game"] == "tron" and found["position"]["ply"] == 0
    for wrong in ("/organise/maps/tron/nowhere.json", "/organise/maps/nothing/duel.json"):
        assert reception.site.get(wrong).status_code == 404
    chosen = changed(new_file("tron"), maps=menu.maps[:2])
    assert chosen["game"]["maps"] == list(menu.maps[:2])
