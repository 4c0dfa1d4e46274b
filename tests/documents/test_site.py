"""The site of documents: both languages have the same pages, every link leads somewhere, no script
or style stands in a page, and it is built the same each time."""

import re
import subprocess
import zipfile
from urllib.parse import unquote

import building
import pytest

from docs.site.build import DOCS, LANGUAGES, build, contents, linked, pages
from joute.i18n import words

IN_WHEEL = "joute/web/docs/"
SHEET = re.compile(r"\]\(([^)#\s:]+\.md)")
LINKS = re.compile(r'(?:href|src|action)="([^"]*)"')


def test_the_site_has_the_languages_of_the_program():
    assert set(LANGUAGES) == set(words.LANGUAGES)


def test_each_language_has_the_same_documents():
    assert pages("fr") == pages("en")


@pytest.mark.parametrize("name", pages("fr"))
def test_a_document_leads_to_documents_of_its_language(name):
    for language in LANGUAGES:
        page = DOCS / language / name
        led = [(page.parent / found).resolve() for found in SHEET.findall(page.read_text("utf-8"))]
        others = [path for path in led if path.is_relative_to(DOCS)]
        assert [path for path in others if not path.is_relative_to(DOCS / language)] == []


def test_a_page_of_the_site_leads_to_its_documents_and_to_files():
    page = DOCS / "fr" / "index.md"
    kept = "[a](virus.md#x) [b](../../scripts/demo) [c](https://x.org/a.md)"
    assert linked(kept, page, "fr") == kept
    assert linked("[a](../../examples) [b](../../CHANGELOG.md)", page, "fr") == "a b"
    assert linked("[a](../en/virus.md)", page, "fr") == "a"
    page = DOCS / "fr" / "deeper" / "one.md"
    assert linked("[a](../virus.md)", page, "fr") == "[a](../virus.md)"
    assert linked("```\n[a](../../examples)\n```", page, "fr") == "```\n[a](../../examples)\n```"


def test_the_contents_are_the_sections_of_the_list():
    made = contents("# T\n\n## One\n\n- [A\n  b](a.md): x\n- [N](n.ipynb)\n\n## Two\n\nNothing.\n")
    assert made == "```{toctree}\n:hidden:\n:caption: One\n\nA b <a>\n```\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return building.site(tmp_path_factory)


@pytest.mark.full
def test_the_site_has_the_same_pages_in_each_language(site):
    for language in LANGUAGES:
        named = {page.removesuffix(".md") + ".html" for page in pages("en")} | {"search.html"}
        folder = site / language
        assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")} == named


def test_no_link_of_the_site_is_dead(site):
    dead = []
    for page in site.rglob("*.html"):
        for address in LINKS.findall(page.read_text("utf-8")):
            path, _, anchor = unquote(address.replace("&amp;", "&")).partition("#")
            if "://" in path or (path in ("/", "") and not anchor):
                continue
            target = page.parent / path if path else page
            there = target.is_file()
            if there and anchor and target.suffix == ".html":
                there = f'id="{anchor}"' in target.read_text("utf-8")
            if not there:
                dead.append((page.relative_to(site).as_posix(), address))
    assert dead == []


def test_the_search_of_the_site_speaks_the_language_of_its_pages(site):
    assert "_static/translations.js" in (site / "fr" / "search.html").read_text()
    assert "pages trouv" in (site / "fr" / "_static" / "translations.js").read_text()


def test_no_page_of_the_site_has_what_the_policy_forbids(site):
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*src=)|<style|<[^>]*\s(style|on\w+)=", text), page
        assert not re.search(r'(src|action)="https?:|<link[^>]*href="https?:', text), page


@pytest.mark.full
def test_the_site_is_built_the_same_from_anywhere(site, tmp_path_factory):
    wheel, _ = building.built(tmp_path_factory)
    with zipfile.ZipFile(wheel) as packed:
        shipped = {
            name.removeprefix(IN_WHEEL): packed.read(name)
            for name in packed.namelist()
            if name.startswith(IN_WHEEL)
        }
    built = {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }
    assert built == shipped


def test_a_warning_ends_the_building_and_leaves_no_site(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("docs.site.build.pages", lambda language: ["index.md"])
    with pytest.raises(subprocess.CalledProcessError):
        build(tmp_path / "site")
    assert "index.md" in capfd.readouterr().err
    assert not (tmp_path / "site").exists()
