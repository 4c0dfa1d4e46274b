import pytest
from web.shown import played, record

from joute.core.registry import names
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

ID = "the-b-class-b-co"
HERE = f"/api/contests/{ID}"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A site with a contest that is over."""
    from web.conftest import Site

    site = Site(Settings(folders=(played(tmp_path_factory.mktemp("class")),)))
    yield site
    site.close()


def test_the_games_are_told(shown):
    games = shown.get("/api/games", headers={"Accept-Language": "fr"}).json()
    virus = next(game for game in games if game["name"] == "virus")
    assert virus["address"] == "/play/virus" and {game["name"] for game in games} == {*names()}
    assert virus["about"].startswith("Virus")


def test_a_contest_is_told_with_where_it_stands(shown):
    (contest,) = shown.get("/api/contests").json()
    assert contest == shown.get(HERE).json()
    assert contest["bots"] == ["ann <script>", "bob", "random"]
    assert contest["progress"] == shown.get(f"{HERE}/progress").json()
    assert contest["progress"] == {
        "stage": "finished",
        "done": 24,
        "left": 0,
        "seconds_left": None,
        "whole": True,
    }


def test_the_seed_of_a_contest_is_told_to_nobody(shown):
    assert "seed" not in shown.get(HERE).text + shown.get("/api/openapi.json").text


def test_the_standings_have_the_ranking_and_the_rating(shown):
    first = shown.get(f"{HERE}/standings").json()[0]
    assert (first["rank"], first["bot"], first["games"]) == (1, "ann <script>", 16)
    assert first["won"] + first["drawn"] + first["lost"] == 16
    low, high = first["interval"]
    assert low < first["score"] < high
    assert first["rating"]["reason"] or first["rating"]["elo"] is not None


def test_meetings_are_told_from_either_side(shown):
    found = {(each["bot"], each["other"]): each for each in shown.get(f"{HERE}/meetings").json()}
    one, other = found["ann <script>", "bob"], found["bob", "ann <script>"]
    assert (one["above"], one["level"], one["below"]) == (
        other["below"],
        other["level"],
        other["above"],
    )
    assert sum(one[key] for key in ("above", "level", "below")) == 8


def test_faults_and_bots_are_told(shown):
    (fault,) = shown.get(f"{HERE}/faults").json()
    assert (fault["bot"], fault["fault"], fault["ply"]) == ("bob", "crash", 10)
    assert shown.get(f"{HERE}/bots").json()[0]["authors"] == ["Ann Onym", "Zoé & Co"]


def test_games_are_told_newest_first_a_page_at_a_time(shown):
    games = shown.get(f"{HERE}/games?count=5&before=20").json()
    assert [game["number"] for game in games] == [19, 18, 17, 16, 15]
    both = shown.get(f"{HERE}/games", params={"bot": ["bob", "random"]}).json()
    assert len(both) == 8 and all(set(game["bots"]) == {"bob", "random"} for game in both)


def test_the_record_of_a_game_comes_whole(shown):
    identity = shown.get(f"{HERE}/games?count=1").json()[0]["identity"]
    answer = shown.get(f"{HERE}/games/{identity}/record")
    assert answer.content == record()
    assert answer.headers["content-type"].startswith("application/jsonl")
    missing = shown.get(f"{HERE}/games/{'0' * 32}/record")
    assert missing.status_code == 404 and "0000" in missing.json()["error"]


@pytest.mark.parametrize(
    "path",
    [
        "?count=0",
        "?count=201",
        "?before=-1",
        "?before=99999999999",
        "?bot=a&bot=b&bot=c",
        "?count=x",
    ],
)
def test_a_value_out_of_bounds_is_refused_with_a_sentence(shown, path):
    answer = shown.get(f"{HERE}/games{path}")
    assert answer.status_code == 422 and answer.json()["error"].startswith("query.")


def test_a_method_that_is_not_there_is_refused_with_a_sentence(shown):
    answer = shown.client.delete("/api/games")
    assert answer.status_code == 405 and answer.json()["error"]


def test_the_page_of_the_api_lists_every_operation_and_loads_nothing_from_elsewhere(shown):
    page = shown.get("/api").text
    for path in shown.get("/api/openapi.json").json()["paths"]:
        assert f"GET {path}</code>" in page
    assert "https://" not in page


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_request_that_the_description_allows_breaks_the_api(shown):
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    schema = schemathesis.openapi.from_dict(shown.get("/api/openapi.json").json())
    operations = [found.ok() for found in schema.get_all_operations()]
    cases = st.one_of([operation.as_strategy() for operation in operations])

    identity = shown.get(f"{HERE}/games").json()[0]["identity"]
    known = {"contest": ID, "identity": identity, "number": 1}

    @given(case=cases, there=st.booleans())
    @settings(
        max_examples=200,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    def asked(case, there):
        if there:
            case.path_parameters = {key: known[key] for key in case.path_parameters or {}}
        case.call_and_validate(base_url=shown.url)

    asked()
