"""The organiser seals a contest in the browser, and gives its public value; everybody sees both."""

import sys

import pytest
from helpers import wait_until
from web.entered import GOOD, served
from web.test_named import HERE, TOML, WAITING

from joute.contest.config.config import resolve
from joute.contest.sealing import draw_seed, seal_contest, with_seal
from joute.web.contests import child, named
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(TOML)
    return path


@pytest.fixture
def site(serve, file, tmp_path, monkeypatch):
    """A contest's file is served; its runs wait until they are stopped."""
    monkeypatch.setattr(named, "COMMAND", (sys.executable, "-u", "-c", WAITING))
    return serve(Settings(folders=(file,), data=tmp_path / "data"))


def test_a_contest_is_sealed_and_drawn_from_its_page_and_everybody_sees_it(site, file):
    assert f'action="{HERE}/seal"' in site.get(HERE).text
    assert "is not sealed" in site.post(f"{HERE}/draw", data={"value": "dice 1"}).text
    assert site.post(f"{HERE}/seal").status_code == 303
    seal = with_seal(resolve(file)).seal.seal
    page = site.get(HERE).text
    assert seal in page and f'action="{HERE}/draw"' in page
    refused = site.post(f"{HERE}/run")
    assert refused.status_code == 422 and "waits for its public value" in refused.text
    assert site.post(f"{HERE}/draw", data={"value": " "}).status_code == 422
    assert "no public value yet" in site.get("/contests/small-one").text
    assert site.post(f"{HERE}/draw", data={"value": "dice 4 2 6"}).status_code == 303
    seed = with_seal(resolve(file)).seed
    for address in (HERE, "/contests/small-one", "/contests/small-one/rules"):
        page = site.get(address).text
        assert all(each in page for each in (seal, "dice 4 2 6", seed)), address
    page = site.get(HERE).text
    assert f'action="{HERE}/draw"' not in page and f'action="{HERE}/seal"' not in page
    assert "which stays: dice 4 2 6" in site.post(f"{HERE}/draw", data={"value": "dice 1"}).text
    assert site.post(f"{HERE}/run").status_code == 303
    wait_until(lambda: "on its way" in site.get(HERE).text)
    assert "another joute" not in site.post(f"{HERE}/stop", data={"sure": "true"}).text


def test_a_file_that_is_wrong_by_now_is_not_sealed(site, file):
    file.write_text(TOML.replace("size = 4", "size = 99"))
    answer = site.post(f"{HERE}/seal")
    assert answer.status_code == 422 and "size must be in" in answer.text


@pytest.mark.full
def test_what_was_changed_after_the_seal_is_named_on_the_page(serve, tmp_path):
    reception = served(serve, tmp_path)
    guest = reception.participant("Ann")
    guest.upload(GOOD)
    guest.settled()
    assert reception.organise("seal").status_code == 303
    guest.upload(GOOD + b"#\n")
    guest.settled()
    answer = reception.organise("draw", value="dice 4 2 6")
    assert answer.status_code == 422 and "the files of Ann were changed" in answer.text
    assert reception.organise("seal").status_code == 303
    assert reception.organise("draw", value="dice 4 2 6").status_code == 303
    assert "dice 4 2 6" in reception.site.get(reception.address).text
    reception.close()


def test_only_the_organiser_seals_and_draws(serve, file, tmp_path):
    settings = Settings(folders=(file,), data=tmp_path / "data", password="the hash of no password")
    site = serve(settings)
    for place in ("seal", "draw"):
        assert site.post(f"{HERE}/{place}").status_code == 403


def test_a_folder_that_was_sealed_is_gone_on_with_once_it_has_its_value(file, capsys):
    seal = seal_contest(resolve(file))
    folder = str(file.with_suffix(".results"))
    for language, told in (("en", "waits for its public value"), ("fr", "attend sa valeur")):
        assert child.main(["resume", folder, "--lang", language]) == 1
        assert told in capsys.readouterr().err
    draw_seed(resolve(file), "dice 4 2 6")
    assert child.main(["resume", folder, "--lang", "en"]) == 0
    assert with_seal(resolve(file)).seal.seal == seal.seal


def test_a_folder_that_is_sealed_can_be_drawn_without_its_file(serve, file, tmp_path):
    seal_contest(resolve(file))
    site = serve(Settings(folders=(file.with_suffix(".results"),), data=tmp_path / "data"))
    assert site.post(f"{HERE}/draw", data={"value": "dice 4 2 6"}).status_code == 303
    assert with_seal(resolve(file)).seal.public == "dice 4 2 6"
