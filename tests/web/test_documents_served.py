"""The site of documents, as the server shows it: in the reader's language, under the policy."""

import pytest
from web.conftest import Site

from docs.site.build import build
from joute.web.doc_files import Documents
from joute.web.settings import Settings

FRENCH = {"accept-language": "fr"}


@pytest.fixture(scope="module")
def site():
    running = Site(Settings())
    yield running
    running.close()


@pytest.fixture
def folder(tmp_path):
    for language in ("en", "fr"):
        (tmp_path / "docs" / language).mkdir(parents=True)
        (tmp_path / "docs" / language / "index.html").write_text(f"page {language}", "utf-8")
    (tmp_path / "docs" / "en" / "a.js").write_text("1", "utf-8")
    (tmp_path / "secret.txt").write_text("told to nobody", "utf-8")
    return tmp_path / "docs"


@pytest.fixture
def client(site, folder):
    site.app.state.documents = Documents(folder)
    with site.browser() as browser:
        yield browser


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
def test_the_documents_open_in_the_language_of_the_reader(client, path):
    assert client.get(path).headers["location"] == "/docs/en/index.html"
    assert client.get(path, headers=FRENCH).headers["location"] == "/docs/fr/index.html"
    chosen = client.get(path, headers=FRENCH | {"cookie": "joute_language=en"})
    assert chosen.headers["location"] == "/docs/en/index.html"


@pytest.mark.parametrize("path", ["/docs/fr", "/docs/fr/"])
def test_the_folder_of_a_language_leads_to_its_list(client, path):
    assert client.get(path).headers["location"] == "/docs/fr/index.html"


def test_a_document_is_sent_with_the_headers_of_every_page(client):
    answer = client.get("/docs/fr/index.html")
    assert (answer.status_code, answer.text) == (200, "page fr")
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"].startswith("default-src 'self'; ")
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    script = client.get("/docs/en/a.js")
    assert script.headers["content-type"].startswith("text/javascript")


def test_a_document_that_the_browser_has_is_not_sent_again(client):
    first = client.get("/docs/en/index.html")
    assert first.headers["cache-control"] == "public, no-cache"
    again = client.get("/docs/en/index.html", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


@pytest.mark.parametrize(
    "path", ["en/nothing.html", "../secret.txt", "%2e%2e/secret.txt", "en/../../secret.txt", "de"]
)
def test_there_is_nothing_but_the_site(client, path):
    answer = client.get(f"/docs/{path}")
    assert answer.status_code == 404
    assert "told to nobody" not in answer.text


def test_a_site_that_was_not_built_says_how_to_build_it(site, client, tmp_path):
    site.app.state.documents = Documents(tmp_path / "nowhere")
    english = client.get("/docs", follow_redirects=True)
    french = client.get("/docs/fr/index.html", headers=FRENCH)
    for answer, sentence in (
        (english, "The documents were not built"),
        (french, "Les documents n’ont pas été construits"),
    ):
        assert answer.status_code == 404
        assert sentence in answer.text
        assert "<code>scripts/docs</code>" in answer.text


def test_documents_that_are_edited_are_looked_for_again(folder):
    kept, edited = Documents(folder), Documents(folder, fresh=True)
    assert kept.content("en/index.html") == edited.content("en/index.html")
    (folder / "en" / "index.html").write_text("changed", "utf-8")
    (folder / "en" / "new.html").write_text("new", "utf-8")
    assert kept.content("en/index.html")[0] == b"page en"
    assert kept.content("en/new.html") is None
    assert edited.content("en/index.html")[0] == b"changed"
    assert edited.content("en/new.html")[0] == b"new"


def test_every_page_leads_to_the_documents(client):
    assert '<a href="/docs">Documents</a>' in client.get("/").text


SIZES = {"phone": (390, 844), "laptop": (1366, 768)}
SHOWN = ("index", "virus", "contest-keys", "how-it-is-proved", "search")
SERIOUS = """
axe.run(document, {preload: false, resultTypes: ["violations"]}).then((all) => all.violations
  .filter((each) => ["serious", "critical"].includes(each.impact))
  .map((each) => [each.id, each.nodes.map((node) => node.html).slice(0, 3)]))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    running = Site(Settings())
    built = tmp_path_factory.mktemp("site") / "docs"
    build(built)
    running.app.state.documents = Documents(built)
    yield running
    running.close()


@pytest.mark.full
@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_documents_fit_phones_and_laptops_and_can_be_read_by_everybody(chromium, served, language):
    from axe_core_python.base import AXE_SCRIPT

    page = chromium.page(language=language)
    for name in SHOWN:
        page.open(f"{served.url}/docs/{language}/{name}.html")
        page.evaluate(AXE_SCRIPT)
        for size in SIZES.values():
            page.size(*size)
            assert page.overflow() == []
            for theme in ("light", "dark"):
                page.theme(theme)
                assert page.evaluate(SERIOUS) == []
        page.theme("light")
    assert page.problems() == []
    page.close()


BROKEN_NAMES = """
[...document.querySelectorAll("main :is(td, th):first-child code")]
  .filter((each) => !/[ -]/.test(each.textContent) && each.getClientRects().length > 1)
  .map((each) => each.textContent)
"""


@pytest.mark.parametrize("name", ["contests", "bot-protocol"])
def test_names_in_the_first_column_of_a_table_stay_whole_on_a_phone(chromium, served, name):
    page = chromium.page(*SIZES["phone"], language="fr")
    page.open(f"{served.url}/docs/fr/{name}.html")
    assert page.evaluate(BROKEN_NAMES) == []
    assert page.overflow() == []
    page.close()


@pytest.mark.parametrize(
    ("language", "word", "said"), [("en", "seal", "Search finished"), ("fr", "jeux", "Recherche")]
)
def test_the_search_finds_a_page_under_the_policy(chromium, served, language, word, said):
    page = chromium.page(language=language)
    page.open(f"{served.url}/docs/{language}/search.html?q={word}")
    page.wait_for("document.querySelectorAll('#search-results li a').length > 0")
    page.wait_for(f"document.querySelector('#search-results').textContent.includes('{said}')")
    assert "Search" not in page.text("#search-results") or language == "en"
    assert page.problems() == []
    page.close()
