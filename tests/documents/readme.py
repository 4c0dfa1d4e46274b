"""The ranking at the top of the README, made by playing the example contest."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
CONTEST = Path("examples", "virus", "contest.toml")
_BLOCK = re.compile(r"(?<=^```\n)Virus, the example\n.*?(?=^```$)", re.MULTILINE | re.DOTALL)
_MILLISECONDS = re.compile(r"[\d.]+(?= +\d+$)", re.MULTILINE)
"""The last column but one, which is another each time."""
_MACHINE = re.compile(r"^(?:Isolation|Memory)\b.*\n", re.MULTILINE)


def played() -> str:
    """The ranking, as `joute contest run` prints it when the contest is played anew."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / CONTEST.parent.name
        shutil.copytree(
            ROOT / CONTEST.parent, copy, ignore=shutil.ignore_patterns("*.results", "__pycache__")
        )
        line = [sys.executable, "-m", "joute", "--lang", "en", "contest", "run", CONTEST.name]
        done = subprocess.run(line, cwd=copy, capture_output=True, encoding="utf-8", check=True)
    lines = done.stdout.splitlines(keepends=True)
    first = lines.index("Virus, the example\n")  # after how long it took
    last = max(at for at, each in enumerate(lines) if each.startswith(("Isolation", "Memory")))
    return "".join(each.rstrip() + "\n" for each in lines[first : last + 1])


def shown() -> str:
    """The ranking in the README."""
    return _BLOCK.findall(README.read_text("utf-8"))[0]


def lasting(ranking: str) -> str:
    """A ranking without what depends on the machine: times, isolation."""
    return _MACHINE.sub("", _MILLISECONDS.sub("", ranking))


def main() -> None:
    """Writes the ranking into the README."""
    text = README.read_text("utf-8")
    README.write_text(_BLOCK.sub(lambda _: played(), text), "utf-8")


if __name__ == "__main__":
    main()
