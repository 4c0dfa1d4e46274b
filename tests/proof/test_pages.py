"""Contests that a hand has changed, in the browser: a sentence, whatever is asked for."""

import pytest
from proof.test_tampering import BY_HAND

from joute.contest.config.config import resolve
from joute.contest.folder import last_link
from joute.web.settings import Settings

READ_BY_PAGES = (
    "winner and loser exchanged", "seats deleted", "returns that are no JSON",
    "a line-up that is not there", "faults invented", "ending", "a line-up of strangers",
    "identity", "kind of a mark", "a configuration that is no JSON", "a record deleted",
    "a link changed", "all links deleted", "set",
)  # fmt: skip
PAGES = ("", "/games", "/bots", "/bots/1", "/faults", "/rules", "/wall/games.json")
ANSWERS = ("", "/standings", "/meetings", "/faults", "/games", "/progress")


@pytest.mark.game("virus")
def test_the_link_stands_on_every_page_of_a_contest(in_file, serve):
    link = last_link(resolve(in_file.file))
    site = serve(Settings(folders=(in_file.results,)))
    for page in PAGES[:6]:
        assert f"proof of 17 rows: {link.shown()}" in site.get(f"/contests/cup{page}").text


@pytest.mark.game("virus")
@pytest.mark.full
def test_a_changed_contest_is_a_sentence_in_the_browser(original, tmp_path, serve):
    from proof.tampering import Copy

    copies = []
    for number, hand in enumerate(READ_BY_PAGES):
        copies.append(Copy(original, tmp_path / str(number), None))
        if hand != "a configuration that is no JSON":
            BY_HAND[hand][0](copies[-1])
    site = serve(Settings(folders=tuple(copy.results for copy in copies)))
    BY_HAND["a configuration that is no JSON"][0](copies[9])
    for number in range(len(copies)):
        name = "cup" if number == 0 else f"cup-{number + 1}"
        found = [site.get(f"/contests/{name}{page}") for page in PAGES]
        found += [site.get(f"/api/contests/{name}{answer}") for answer in ANSWERS]
        assert {each.status_code for each in found} <= {200, 503}, READ_BY_PAGES[number]
    assert site.get("/contests").status_code == 200
