"""A class is invited by a list from a spreadsheet; its links lie on one sheet."""

import csv
import io

import pytest
from web.entered import served

from joute.web.errors import RequestRefusal
from joute.web.registration.roster import decoded, read_roster
from joute.web.registration.store import Person, Registration

pytestmark = pytest.mark.game("virus")

EMPTY = Registration("x-1", "Class", "virus", "2199-01-01T00:00:00+00:00", "UTC")
ADA = Person("Ada Lovelace", "2026001", "A1", "ada@example.org")
ALAN = Person("Alan Turing", "2026002", "A1", "alan@example.org")


@pytest.fixture
def reception(serve, tmp_path):
    made = served(serve, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace;2026001;A1;ada@example.org\nAlan Turing;2026002;A1;alan@example.org",
        "2026001,Ada Lovelace,ada@example.org,A1\r\n2026002,Alan Turing,alan@example.org,A1\r\n",
        """Nom\tPrénom\tN° étudiant\tGroupe\tCourriel
Lovelace\tAda\t2026001\tA1\tada@example.org
Turing\tAlan\t2026002\tA1\talan@example.org""",
        """Prénom;Nom de famille;Numéro d'identification;Adresse de courriel;Groupe(s)
Ada;Lovelace;2026001;ada@example.org;A1
Alan;Turing;2026002;alan@example.org;A1""",
        """PRENOM;NOM;Numero d’identification;Groupes;Adresse de courriel
Ada;Lovelace;2026001;A1;ada@example.org
Alan;Turing;2026002;A1;alan@example.org""",
        """First name,Last name,ID number,Email address,Groups
Ada,Lovelace,2026001,ada@example.org,A1
Alan,Turing,2026002,alan@example.org,A1""",
        """"First name","Surname","E-mail","Group","ID"
"Ada","Lovelace","ada@example.org","A1","2026001"

"Alan","Turing","alan@example.org","A1","2026002"
;;;
""",
        """\ufeffName;Student number;Class;Mail
Ada  Lovelace;2026001;A1;ada@example.org
Alan Turing;2026002;A1;alan@example.org""",
    ],
)
def test_a_list_is_understood_however_the_spreadsheet_writes_it(text):
    assert read_roster(EMPTY, text).new == [ADA, ALAN]


def test_columns_that_are_not_used_are_named(reception):
    text = "Name;Number;Town;;Empty\nAda;2026001;London;x;\n"
    assert read_roster(EMPTY, text).unused == ["Town", "column 4"]
    bare = "Ada;Lovelace;2026001;of London\nAlan;Turing;2026002;of Manchester"
    assert read_roster(EMPTY, bare).unused == ["column 4"]
    assert "Not used: Town, column 4." in reception.organise("roster", text=text).text


def test_names_alone_are_a_list_too():
    found = read_roster(EMPTY, "Ada Lovelace\n\n  Zoé 😀 \nשרה\n")
    assert [each.name for each in found.new] == ["Ada Lovelace", "Zoé 😀", "שרה"]


def test_first_and_last_names_in_two_columns_make_one_name():
    assert read_roster(EMPTY, "Ada;Lovelace\nAlan;Turing").new[0].name == "Ada Lovelace"


def test_a_file_of_windows_is_read_and_told_to_be_none_of_utf_8():
    assert decoded("Zoé;Ève".encode("cp1252")) == ("Zoé;Ève", True)
    assert decoded("Zoé".encode("utf-8-sig")) == ("Zoé", False)
    assert decoded("Zoé".encode("utf-16")) == ("Zoé", False)
    with pytest.raises(RequestRefusal):
        decoded(b"x" * 300_000)


def test_a_line_with_a_problem_is_told_and_left_out():
    found = read_roster(EMPTY, f"Ann;1234\nANN;1235\n{'x' * 61};1236\nBob\x07;1237\n")
    assert [each.name for each in found.new] == ["Ann"]
    assert [bool(each.problem) for each in found.lines] == [False, True, True, True]
    for wrong in ("", " ;;\n", "\n".join(f"N{at}" for at in range(1001))):
        with pytest.raises(RequestRefusal):
            read_roster(EMPTY, wrong)


def test_a_number_of_two_people_is_told_and_its_second_holder_left_out():
    found = read_roster(EMPTY, "Ann;1234\nBob;1234\nZoe;1235\n")
    assert [each.name for each in found.new] == ["Ann", "Zoe"]
    assert "1234 is that of Ann already" in found.lines[1].problem


def test_a_later_list_may_exchange_numbers_and_not_give_one_away(reception):
    reception.organise("roster", text="Ann;1234\nBob;1235\n", sure="1")
    given = read_roster(reception.registration, "Name,Number\nAnn,\nZoe,1234\n")
    assert [bool(each.problem) for each in given.lines] == [False, True]
    for same in ("Ann;1235\nBob;1234\n", "ann;1234\n  Bob ;1235\n"):
        assert not any(each.problem for each in read_roster(reception.registration, same).lines)


def test_a_number_stays_its_holder_s_however_the_name_is_spaced(reception):
    reception.organise("roster", text="Ada Lovelace;1234\n", sure="1")
    (again,) = read_roster(reception.registration, "Ada   Lovelace;1234\n").lines
    assert again.known is not None and not again.problem


def test_the_number_of_another_is_refused_and_one_s_own_is_not(reception):
    reception.organise("roster", text="Ann;1234\nBob;1235\n", sure="1")
    ann, bob = reception.registration.participants
    answer = reception.organise(f"participants/{bob.identity}/person", number="1234")
    assert answer.status_code == 422 and "is that of Ann already" in answer.text
    assert reception.registration.participants[1].number == "1235"
    kept = reception.organise(f"participants/{ann.identity}/person", number="1234", group="A")
    assert kept.status_code == 303
    assert reception.registration.participants[0].group == "A"


def test_a_class_of_thirty_is_looked_at_then_invited_and_a_later_list_updates_it(reception):
    text = "\n".join(f"Student {at};{2026000 + at};A" for at in range(30))
    shown = reception.organise("roster", text=text)
    assert shown.status_code == 200 and "To invite: 30." in shown.text
    assert not reception.registration.participants
    answer = reception.organise("roster", text=text, sure="1")
    assert answer.headers["location"].endswith("/links")
    assert len(reception.registration.participants) == 30
    again = "Name,Mail\nStudent 3,three@example.org\nNew One,new@example.org\n"
    assert "To invite: 1. Already invited, details updated: 1." in (
        reception.organise("roster", text=again).text
    )
    reception.organise("roster", text=again, sure="1")
    third = reception.registration.participants[3]
    assert (third.number, third.email) == ("2026003", "three@example.org")
    assert len(reception.registration.participants) == 31
    assert reception.organise("roster", text=" ").status_code == 422


def test_a_list_is_sent_as_a_file(reception):
    content = "Élève;1234\n".encode("cp1252")
    at = f"{reception.address}/roster"
    shown = reception.site.post(at, files={"file": ("class.csv", content)}, data={"text": ""})
    assert "Élève" in shown.text and "Check the accents" in shown.text


def test_the_links_of_all_stand_on_one_sheet_and_stay_the_same(reception):
    reception.organise("roster", text="Ann;1234\n=cmd();1235\n", sure="1")
    sheet = reception.site.get(f"{reception.address}/links").text
    text = reception.site.get(f"{reception.address}/links.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["name"] for row in rows] == ["Ann", "'=cmd()"]
    assert all(row["link"] in sheet for row in rows) and sheet.count('class="segno"') == 2
    again = reception.site.get(f"{reception.address}/links.csv").content.decode("utf-8-sig")
    assert again == text
    guest = reception.guest(rows[0]["link"])
    assert "Ann" in guest.get().text
    ann = reception.registration.participants[0]
    reception.organise(f"participants/{ann.identity}/link")
    assert guest.post("/submit/enter", link=rows[0]["link"]).status_code == 403


def test_an_address_that_leads_here_alone_is_told(reception):
    reception.invite("Ann")
    for path in ("", "/links"):
        page = reception.site.get(f"{reception.address}{path}").text
        assert "work on this computer only" in page
