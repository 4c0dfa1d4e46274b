"""An author that is a script: it knows no game, only the commands of an AGENTS.md and their JSON.

For each mistake that is named it asks what would have been better there, and has its bot answer
that where it is shown the same again.
"""

import json
import re
import shlex
import shutil

_BOOK = """

_first = play
BOOK = json.loads((Path(__file__).parent / "book.json").read_text())


def play(observation, clock):
    seen = json.dumps(observation, sort_keys=True)
    return BOOK[seen] if seen in BOOK else _first(observation, clock)
"""


class ScriptedAuthor:
    """Works on the bot of a project, by commands that `run` carries out."""

    def __init__(self, project, run):
        self._run = run
        self._project = project
        page = (project / "AGENTS.md").read_text(encoding="utf-8")
        block = re.search(r"```\n(.*?)```", page, re.DOTALL)[1]
        lines = [shlex.split(line)[1:] for line in block.splitlines()]
        self._commands = {words[0]: words for words in lines}
        self._book = {}
        self.bot, self.before = project / "bot", project / "before"
        template = (project / "bot.py").read_text(encoding="utf-8")
        self.bot.mkdir()
        head = "import json\nfrom pathlib import Path\n"
        (self.bot / "bot.py").write_text(head + template + _BOOK, encoding="utf-8")
        self._write()
        shutil.copytree(self.bot, self.before)

    def asked(self, command, *more, **places):
        """The exit code and the JSON of a command of the page, with its places filled in."""
        known = {"bot.py": self.bot, "games": self._project / "games", "OLD": self.before}
        words = [str(places.get(word, known.get(word, word))) for word in self._commands[command]]
        outcome = self._run(*words, *more)
        return outcome.code, json.loads(outcome.out)

    def improve(self, seed, judge, *terms):
        """Plays, and learns from what went wrong; how many positions were new."""
        games = self._project / seed
        self.asked("match", "--seed", seed, *terms, games=games)
        _, found = self.asked("mistakes", "--by", judge, games=games)
        known = len(self._book)
        for each in found["mistakes"]:
            _, told = self.asked("explain", "--bot", judge, PLACE=each["explain"])
            seen = json.dumps(told["observation"], sort_keys=True)
            self._book[seen] = told["options"][0]["line"][0]
        self._write()
        return len(self._book) - known

    def _write(self):
        (self.bot / "book.json").write_text(json.dumps(self._book), encoding="utf-8")
