"""Builds the site of documents: `scripts/docs [FOLDER]`.

Both languages have the same pages. The site needs no server: it can be read from its folder.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LANGUAGES = ("en", "fr")
PLACE = ROOT / "src" / "joute" / "web" / "docs"
"""The folder from which `joute serve` has the site, in the wheel too."""
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(?:#[^)]*)?\)")
SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
UNUSED = (
    ".buildinfo",
    "objects.inv",
    "_static/basic.css",
    "_static/pygments.css",
    "_sources",
    "_static/file.png",
    "_static/minus.png",
    "_static/plus.png",
)
"""Files of Sphinx's that no page needs."""
FRONT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Joute</title>
<link rel="stylesheet" href="en/_static/joute.css">
</head>
<body>
<main>
<h1>Joute</h1>
<p><a href="en/index.html">English</a></p>
<p><a href="fr/index.html" lang="fr">Français</a></p>
</main>
</body>
</html>
"""


def pages(language: str) -> list[str]:
    """The documents of a language, by their paths in its folder."""
    folder = DOCS / language
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


def linked(text: str, page: Path, language: str) -> str:
    """The text of a page of documents in a language as the site has it.

    Documents of this language and files of the repository stay links; its folders and other
    documents become words.
    """

    def one(found: re.Match[str]) -> str:
        words, address = found[1], found[2]
        if "://" in address or address.startswith("mailto:"):
            return found[0]
        target = (page.parent / address).resolve()
        if target.is_relative_to(DOCS / language):
            return found[0]
        if target.is_dir() or target.suffix == ".md":
            return words
        return found[0]

    code = re.split(r"(^```.*?^```)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else LINK.sub(one, part) for part in code)


def files(text: str, page: Path) -> list[Path]:
    """The files of the repository that the text of a page of documents leads to, but documents."""
    targets = [(page.parent / found[1]).resolve() for found in LINK.findall(text)]
    return [each for each in targets if each.is_file() and not each.is_relative_to(DOCS)]


def contents(index: str) -> str:
    """The list of documents as Sphinx wants it: a tree of pages for each section."""
    parts = SECTION.split(index)[1:]
    trees = []
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        listed = [found for found in LINK.findall(text) if found[1].endswith(".md")]
        if listed:
            names = "\n".join(
                f"{' '.join(words.split())} <{name.removesuffix('.md')}>" for words, name in listed
            )
            trees.append(f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n{names}\n```\n")
    return "\n".join(trees)


def compose(language: str, into: Path) -> Path:
    """Lay the pages of a language into a folder, where paths lead as in the repository."""
    source = into / "docs" / language
    source.mkdir(parents=True)
    # Copies: Sphinx follows links, and has downloads in folders named after where the files lie.
    for name in ("pictures", "notebooks"):
        shutil.copytree(DOCS / name, into / "docs" / name)
    for page in pages(language):
        path = DOCS / language / page
        text = linked(path.read_text(encoding="utf-8"), path, language)
        for file in files(text, path):
            copy = into / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        laid = source / page
        laid.parent.mkdir(parents=True, exist_ok=True)
        laid.write_text(text + ("\n" + contents(text) if page == "index.md" else ""), "utf-8")
    return source


def build(into: Path) -> None:
    """Build the site into a folder, which is replaced.

    Raises:
        subprocess.CalledProcessError: Sphinx warns of something; its words are on standard error.
    """
    with tempfile.TemporaryDirectory(prefix="joute-docs-") as folder:
        made = Path(folder).resolve() / "site"
        for language in LANGUAGES:
            base = Path(folder).resolve() / language
            base.mkdir()
            source = compose(language, base)
            command = [sys.executable, "-m", "sphinx", "--builder", "html", "--quiet"]
            command += ["--fail-on-warning", "--conf-dir", str(DOCS / "site")]
            command += ["--define", f"language={language}", "--doctree-dir", str(base / "trees")]
            # The same pages on any day, in any order of sets.
            fixed = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0", "TZ": "UTC"}
            subprocess.run(
                [*command, str(source), str(made / language)],
                check=True,
                env=os.environ | fixed,
            )
            _make_plain(made / language / "_static" / "translations.js")
            for name in UNUSED:
                unused = made / language / name
                if unused.is_dir():
                    shutil.rmtree(unused)
                unused.unlink(missing_ok=True)
        (made / "index.html").write_text(FRONT, encoding="utf-8")
        shutil.rmtree(into, ignore_errors=True)
        into.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, into)


def _make_plain(translations: Path) -> None:
    """Rewrite a language's words for the search, if there are any, without a call of `Function`.

    Sphinx makes a function of the text of the rule of plurals, which the policy of our pages
    forbids; as a script of its own the rule is allowed.
    """
    if not translations.exists():
        return
    text = translations.read_text(encoding="utf-8")
    found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    lines = [
        f"Object.assign(Documentation.TRANSLATIONS, {json.dumps(found['messages'])});",
        f"Documentation.PLURAL_EXPR = (n) => {found['plural_expr']};",
        f"Documentation.LOCALE = {json.dumps(found['locale'])};",
    ]
    translations.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve() if sys.argv[1:] else PLACE)
