"""Mistakes of every kind: none is answered with an English sentence where French is spoken."""

import shutil
import sqlite3

import pytest
from helpers import english_words

from joute.cli.main import main
from joute.contest.config.config import resolve
from joute.contest.errors import ConfigError
from joute.contest.report.grading import read_scale
from joute.i18n import words

TWO = 'bots = ["builtin:random", "builtin:greedy"]\n'
SMALL = '[game]\nname = "virus"\nsize = 4\n'
RECORDED = "virus builtin:random builtin:greedy --param size=4 --plain --record game.jsonl"

FILES = {
    "mine.py": "def play(observation, clock):\n    return observation['legal'][0]\n",
    "bad.py": "def play(:\n",
    "mine.txt": "no bot\n",
    "bad.zip": "no zip\n",
    "presented/bot.py": "def play(observation, clock):\n    return 0\n",
    "presented/joute.toml": "name = 3\n",
}

# Below the list of two bots.
CONTESTS = """
contest = 3
contest.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q = 1
x = [
x = {a = 1
x = "a
x = 1 2
x = 01-01
= 3
[contest
[contest]|[contest]
[contest]|name = "a"|name = "b"
[contest]|zzz = 4
[contest]|gmes = 4
[contest]|games = 3
[contest]|games = "x"
[contest]|games = 4|first_to = 2
[contest]|max_games = 2
[contest]|first_to = 5|max_games = 4
[contest]|format = "swis"
[contest]|format = "swiss"|first_to = 2
[contest]|format = "gauntlet"
[contest]|format = "gauntlet"|references = ["nobody"]
[contest]|format = "gauntlet"|references = ["random", "greedy"]
[contest]|format = "gauntlet"|references = ["random", "random"]
[contest]|format = "gauntlet"|references = "random"
[contest]|format = "pools"|pools = 9
[contest]|format = "score"
[contest]|opponents = 2
[contest]|qualified = 2
[contest]|seeding = "drawn"
[contest]|spend = "unresolved"|first_to = 2
[contest]|spend = "unresolved"|groups = 1
[contest]|reference = "nobody"
[contest]|ranking = "paradis"
[contest]|ranking = []
[contest]|ranking = ["stage"]
[contest]|name = ""
[contest]|seed = 1.5
[contest]|workers = 0
[contest]|minutes = 0
[contest]|deals = "none"
[contest]|store = "file"
[contest]|store = "postgresql://me:secret@host/db"
[contest]|bots = []
[game]|name = "virs"
[game]|name = "tron"|size = 3
[game]|name = "tron"|map = "nowhere"
[game]|name = "tron"|map = ""
[game]|name = "tron"|maps = []
[game]|name = "tron"|maps = ["empty-room", "empty-room"]
[game]|name = "tron"|map = "empty-room"|maps = ["empty-room"]
[game]|size = 2
[game]|size = "big"
[game]|opening = 3
[game]|opening = [4, 2]
[limit]|move_seconds = 4
[limits]|move_seconds = 0
[limits]|move_seconds = "1"
[limits]|memory_mb = 1
[limits]|import_joute = 1
[limits]|isolation = "none"
[limits]|processes = 5000
[faults]|crash = "match"
[faults]|max_restarts = -1
[faults]|disqualify_for = ["crash"]
[faults]|disqualify_after = 1|disqualify_for = []
[faults]|disqualify_after = 1|disqualify_for = ["crash", "crash"]
[submission]|required = ["/x"]
[submission]|forbidden_imports = ["1a"]
"""
BOTS = """
""
"builtin:greedy"
["builtin:greedy"]
["builtin:greedy", 3]
["builtin:greedy", ""]
["builtin:greedy", "human"]
["builtin:greedy", "remote"]
["builtin:greedy", "missing.py"]
["builtin:greedy", "bad.zip"]
["builtin:greedy", "mine.txt"]
["builtin:greedy", "program:nowhere"]
["builtin:greedy", "program:'"]
["builtin:greedy", "hosted:mine.py"]
["builtin:greedy", "builtin:gredy"]
["builtin:greedy", "builtin:alphabeta?node=3"]
["builtin:greedy", "builtin:alphabeta?nodes=x"]
["builtin:greedy", "builtin:wall"]
["builtin:greedy", {name = "a"}]
["builtin:greedy", {bot = "builtin:random", pyton = "p"}]
["builtin:greedy", {bot = "builtin:random", python = "p"}]
["builtin:greedy", {bot = "mine.py", python = "python0.9"}]
["builtin:greedy", {bot = "mine.py", memory_mb = 1}]
["builtin:greedy", {bot = "mine.py", name = " a"}]
["builtin:greedy", {bot = "mine.py", authors = "me"}]
["builtin:greedy", {bot = "mine.py", description = ""}]
["builtin:greedy", "presented"]
[{bot = "builtin:greedy", name = "a"}, {bot = "builtin:random", name = "a"}]
"""
SCALES = """
x = 1
[grades]|scale = [2, 1]
[grades]|scale = "x"
[grades]|round = 0
[grades]|places = 3
[grades]|places = ["x"]
[grades]|absentees = "me"
[grades]|columns = []
[grades]|columns = ["nothing"]
[grades]|given = []
[grades]|given = {nobody = 3}
[grades]|against = 3
[[grades.against]]|marks = 1
[[grades.against]]|bot = "nobody"
[[grades.against]]|bot = "random"|from = 0.5|to = 0.5
"""
LINES = """
games nothing
check mine.py --contest nowhere.toml
check mine.py --python nowhere
check mine.py --python true
check mine.py --param size=x
check mine.py --param nothing=1
check mine.py --game tron --param map=nowhere
check bad.py
check mine.py --contest cup.toml --game virus
match virus builtin:random builtin:random --map a
match virus builtin:random builtin:random --max-games 2
match virus builtin:random builtin:random --sprt 0
match virus builtin:random builtin:random --sprt 9,3
match virus builtin:random builtin:random --sprt 0,150
match virus builtin:random builtin:random --sprt 0,10 --games 2
match tron builtin:wall builtin:fill builtin:wall --param players=3 --sprt 0,10
match virus human builtin:random --sprt 0,10
match virus builtin:random builtin:random --games 2 --records mine.py/below
match virus builtin:random builtin:random --workers 0
compare tron builtin:wall builtin:wall --param players=3
compare virus human builtin:random
compare virus builtin:random builtin:random --judge nobody
compare virus builtin:random builtin:random --plot nowhere/out.svg
compare virus mine.py missing.py
strength nothing
strength virus --plot nowhere/out.svg
strength virus --folder cup.results
strength virus --folder mine.py
promote builtin:random --game virus
promote builtin:random missing.py --game virus
learn tron
learn virus --games 1
learn virus -o taught
learn virus -o taught --resume --seed other
contest run played.toml --dask nowhere
contest run played.toml --dask tcp://127.0.0.1:1 --workers 2
contest run played.toml --store file
contest run elsewhere.toml
contest run below.toml
contest run forbidden.toml
contest standings empty
contest annul cup.toml 0000 --why because
contest annul cup.toml 00 --why because
contest annul empty 0000 --why because
contest annul cup.toml 0000
contest withdraw cup.toml rando --why because
contest withdraw cup.toml random --why because --who joute
contest withdraw fresh.toml random --why because
contest reinstate cup.toml random --why because
contest reinstate cup.toml random --why=
contest disqualify old random --why because
contest audit fresh.toml
contest audit empty
contest seal seeded.toml
contest seal cup.toml
contest draw cup.toml --value dice
contest draw cup.toml --value=
contest draw fresh.toml --value dice
contest standings damaged.results
contest standings newer.results
contest standings away.results
contest run damaged.toml
play virus
play virus builtin:random
play virus builtin:random missing.py
play virus human builtin:random --live
play vampires builtin:nearest builtin:nearest --map nowhere
play virus builtin:random builtin:random --map x
play virus builtin:random builtin:random --param size=4 --plain --record mine.py/below
tron solo --map nowhere
tron solo --bot builtin:nobody
tron solo --games 0
tron report --simulations 0
tron table --forms abacus
vampires serve --map nowhere
vampires serve --port 99999
vampires serve --config mine.py
vampires client
vampires client 127.0.0.1
vampires client --config nowhere.txt
vampires client 127.0.0.1 1 --bot builtin:nobody
vampires client 127.0.0.1 1 --bot builtin:nearest
paradise
paradise --agent1 missing --agent2 missing
carry love-letter builtin:champion carried
carry virus mine.py carried
carry virus builtin:champion?size=3 carried
carry virus builtin:greedy mine.py
new mine.py
new mine.py/below
new empty --game tron --style hx2
new .
new other --solutions
map check nowhere.txt
map check mine.py
map check faulty.txt
map show faulty.xml
map convert faulty.txt --to xml
map convert faulty.txt --to nothing
map new poker 3 3
map new vampires 1 1 1
map new vampires x 1 1
map new virus 3 3 3
mistakes game.jsonl --bot personne
mistakes game.jsonl --by mine.py
mistakes nowhere
map new vampires 3 3
map new tron 9 9 3
map new tron 4 9
map new tron 9 4
map new tron 200 200
map new tron 9 9 --floors 10
map new tron 9 9 --density 2
map new tron 9 9 --symmetry round
map new tron 9 7 --symmetry quarter
map new tron 9 9 --teleporters 27
map new tron 9 9 --stairs 2
map new tron 9 9 --floors 2 --stairs 3
map new tron 5 5 --teleporters 5
explain game.jsonl
explain game.jsonl@x
explain game.jsonl@999
explain game.jsonl@1 --bot human
explain game.jsonl@1 --bot mine.py
explain game.jsonl@1 --bot builtin:nobody
explain game.jsonl@1 --bot builtin:alphabeta?nodes=x
explain game.jsonl@1 --param size=4
explain virus x
explain virus a1,zz
replay game.jsonl --at 999
replay game.jsonl --bot missing.py
replay game.jsonl --html mine.py/below
replay mine.py
replay untrue.jsonl
replay half.jsonl
verify empty
verify cup.results --link zz
verify cup.results --sealed zz
verify untrue.jsonl half.jsonl
verify mine.py
verify mine.txt
replay mine.txt
virus
--version x
verify damaged.results
verify newer.results
export cup.toml --format nothing
export cup.toml --format grades
export game.jsonl --format csv
export untrue.jsonl --format hx2
export half.jsonl --format hx2
export cup.toml --format csv -o mine.py
plot cup.toml nothing
plot cup.toml rating --svg mine.py/below
plot fresh.toml rating
serve nowhere
serve empty
serve mine.py
serve cup.toml --public nowhere
serve cup.toml --port 99999
serve cup.toml --host nowhere.invalid --port 0
serve cup.toml --data mine.py --port 0
redteam mine.py
doctor now
contest
map
"""


def _lines(text):
    return [line for line in text.strip().splitlines() if line]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with right and wrong files, which the command lines name."""
    folder = tmp_path_factory.mktemp("place")
    files = {
        **FILES,
        "cup.toml": f"{TWO}[contest]\ngames = 2\nworkers = 1\n{SMALL}",
        "played.toml": f'{TWO}[contest]\nfolder = "cup.results"\n{SMALL}',
        "fresh.toml": TWO + SMALL,
        "seeded.toml": f"{TWO}[contest]\nseed = 1\n{SMALL}",
        "below.toml": f'{TWO}[contest]\nfolder = "mine.py/below"\n{SMALL}',
        "damaged.toml": TWO + SMALL,
        "elsewhere.toml": f'{TWO}[contest]\nfolder = "cup.results"\n'
        f'store = "sqlite:///{folder}/other.sqlite"\n{SMALL}',
        "forbidden.toml": 'bots = ["mine.py", "bad.py"]\n[submission]\nrequired = ["README"]\n'
        f'forbidden_imports = ["os"]\n{SMALL}',
        "faulty.txt": "tron 1\nname x\nsize 3 3\n",
        "faulty.xml": "<Map><Nothing/></Map>",
        "damaged.results/contest.sqlite": "no database at all, and long enough to be read",
        "away.results/store": "sqlite:////proc/nowhere/contest.sqlite\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (folder / "empty").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["contest", "run", "cup.toml"]) == 0
        assert main(["play", *RECORDED.split()]) == 0
        course = "learn virus --rounds 1 --games 20 --simulations 8 --seconds 0.01 -o taught"
        assert main(course.split()) == 3
    lines = (folder / "game.jsonl").read_text().splitlines(keepends=True)
    (folder / "untrue.jsonl").write_text("".join([*lines[:3], *lines[4:]]))
    (folder / "half.jsonl").write_text("".join(lines[:2]) + lines[2][:20])
    for name, change in (
        ("newer", "UPDATE meta SET value = '99' WHERE key = 'layout'"),
        ("old", "UPDATE contest SET configuration = '{}'"),
    ):
        copy = folder / f"{name}.results" if name == "newer" else folder / name
        shutil.copytree(folder / "cup.results", copy)
        with sqlite3.connect(copy / "contest.sqlite") as database:
            database.execute(change)
        database.close()
    return folder


@pytest.mark.game("tron", "virus")
@pytest.mark.full
@pytest.mark.parametrize("line", _lines(LINES))
def test_a_wrong_command_line_is_answered_in_french(place, monkeypatch, capsys, line):
    monkeypatch.chdir(place)
    code = main([*line.split(), "--lang", "fr"])
    words.speak("en")
    found = capsys.readouterr()
    told = found.err or found.out
    assert code in (1, 2, 3) and told
    assert "Traceback" not in told
    assert not english_words(told), told


def test_a_file_is_told_with_the_space_that_french_has_before_a_colon(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "gone", "--lang", "fr"]) == 2
    words.speak("en")
    assert capsys.readouterr().err == "joute: gone\u202f: fichier ou dossier introuvable\n"


def test_a_server_that_is_not_there_is_told_in_french(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FILES["mine.py"])
    assert (
        main(["submit", "mine.py", "http://127.0.0.1:1", "--token", "token", "--lang", "fr"]) == 1
    )
    words.speak("en")
    told = capsys.readouterr().err
    assert "connexion refusée" in told and "Errno" not in told


def _in_french(error):
    """An error that is English for who reads English, and French for who reads French."""
    with words.speaking("fr"):
        told = str(error)
    assert not english_words(told), told
    assert told != str(error)


@pytest.mark.parametrize("text", _lines(CONTESTS))
def test_a_wrong_contest_is_refused_in_french(tmp_path, text):
    (tmp_path / "cup.toml").write_text(TWO + text.replace("|", "\n"))
    with pytest.raises(ConfigError) as caught:
        resolve(tmp_path / "cup.toml")
    _in_french(caught.value)


@pytest.mark.parametrize("bots", _lines(BOTS))
def test_a_wrong_bot_is_refused_in_french(tmp_path, bots):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "cup.toml").write_text(f"bots = {bots}\n")
    with pytest.raises(ConfigError) as caught:
        resolve(tmp_path / "cup.toml")
    _in_french(caught.value)


@pytest.mark.parametrize("text", _lines(SCALES))
def test_a_wrong_scale_is_refused_in_french(tmp_path, text):
    (tmp_path / "cup.toml").write_text(TWO)
    (tmp_path / "scale.toml").write_text(text.replace("|", "\n"))
    with pytest.raises(ConfigError) as caught:
        read_scale(tmp_path / "scale.toml", resolve(tmp_path / "cup.toml"))
    _in_french(caught.value)


def test_the_check_of_languages_knows_english_and_leaves_quotations_alone():
    assert english_words("joute: there is no game") == {"there", "is", "no"}
    assert english_words("« there is » : 'must be' dans /the/file") == set()
    assert english_words("il n'y a pas de jeu, c'est vrai") == set()
