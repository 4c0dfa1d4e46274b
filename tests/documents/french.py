"""The French documents beside the English ones: what is missing, and where links lead."""

import os
import re
from pathlib import Path

from docs.site.build import DOCS, LACKING, pages

FRENCH, ENGLISH = DOCS / "fr", DOCS / "en"
LINK = re.compile(r"\]\(([^)#\s:]+\.md)(#[^)\s]*)?")


def lacking() -> str:
    """The list of the documents that are in English only."""
    return "".join(f"{page}\n" for page in sorted(set(pages("en")) - set(pages("fr"))))


def led(text: str, page: Path) -> str:
    """The text of a French document whose links lead to French documents where there are any."""

    def one(found: re.Match[str]) -> str:
        target = Path(os.path.normpath(page.parent / found[1]))
        for folder in (FRENCH, ENGLISH):
            if target.is_relative_to(folder):
                name = target.relative_to(folder)
                best = next((at / name for at in (FRENCH, ENGLISH) if (at / name).is_file()), None)
                if best is None:
                    return found[0]
                # The headings of a page are others in another language.
                place = found[2] or "" if best.is_relative_to(folder) else ""
                return f"]({os.path.relpath(best, page.parent)}{place}"
        return found[0]

    return LINK.sub(one, text)


def main() -> None:
    """Write the list, and the links of the French documents."""
    LACKING.write_text(lacking(), encoding="utf-8")
    for name in pages("fr"):
        page = FRENCH / name
        page.write_text(led(page.read_text(encoding="utf-8"), page), encoding="utf-8")


if __name__ == "__main__":
    main()
