"""The configuration of Sphinx for one language of the site; `build.py` runs it.

The language is given on the command line. No page has a script or a style in itself, for the
server's Content-Security-Policy forbids them; nothing that a page needs is fetched, so that it
works from a folder too.
"""

import re
from pathlib import Path

from joute.web.assets import STATIC, STYLES

HERE = Path(__file__).parent
PARTS = ("00-tokens", "10-base", "20-frame", "30-components")
"""Parts of the application's style sheet that pages of documents share."""
WORDS = {
    "en": {
        "contents": "Contents",
        "home": "The application",
        "language": "Language",
        "next": "Next",
        "previous": "Previous",
        "search": "Search",
        "skip": "Skip to the text",
        "table": "Table",
    },
    "fr": {
        "contents": "Sommaire",
        "home": "L’application",
        "language": "Langue",
        "next": "Suivant",
        "previous": "Précédent",
        "search": "Chercher",
        "skip": "Aller au texte",
        "table": "Tableau",
    },
}

project = "Joute"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
html_theme = "joute"
html_theme_path = [str(HERE)]
html_copy_source = False  # sources are in the repository
html_show_search_summary = False  # made by fetching pages, which no browser does from a folder
html_use_index = False
html_domain_indices = False
html_title = "Joute"
html_permalinks_icon = "#"
smartquotes = False  # they join the dashes of options
highlight_language = "text"
# Blocks of documents show what goes wrong, too.
suppress_warnings = ["misc.highlighting_failure"]


def style():
    """What the pages share with the application, then what is theirs."""
    parts = [STATIC / STYLES / f"{name}.css" for name in PARTS]
    parts.append(HERE / "joute" / "docs.css")
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


def readable(body):
    """A page's text whose wide parts can be scrolled by keyboard."""
    body = body.replace("<pre>", '<pre tabindex="0">')
    body = re.sub(r"(<table\b)", r'<div class="scroll" tabindex="0">\1', body)
    return body.replace("</table>", "</table></div>")


def describe(app, _name, _template, context, _tree):
    """Give a page's template its words."""
    context["words"] = WORDS[app.config.language]
    context["languages"] = tuple(WORDS)
    if "body" in context:
        context["body"] = readable(context["body"])


def finish(app, error):
    """Write the style sheet and the icon, which are the application's."""
    if error is None:
        there = Path(app.outdir) / "_static"
        (there / "joute.css").write_text(style(), encoding="utf-8")
        (there / "icon.svg").write_bytes((STATIC / "icon.svg").read_bytes())


def setup(app):
    """Called by Sphinx."""
    app.connect("html-page-context", describe)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
