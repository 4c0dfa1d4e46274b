"""A PostgreSQL server of our own, for benches and tests: in a temporary folder, behind a socket."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

SERVER_USER = "postgres"  # PostgreSQL refuses to run as root


class NoServerError(Exception):
    """There is no PostgreSQL on this machine, or it does not do what it should."""


def programs() -> Path:
    """The folder of PostgreSQL's programs. Raises NoServerError."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise NoServerError("no PostgreSQL in /usr/lib/postgresql (Debian's package postgresql)")
    return found[-1].parent


class Server:
    """A server that runs; `stop` and `start` as often as wanted. Trusts whoever reaches it.

    Without `safe` a crash of the machine, not of the server, may damage it. Raises NoServerError.
    """

    def __init__(self, safe: bool = False) -> None:
        self._safe = safe
        self._programs = programs()
        self._user = {"user": SERVER_USER, "group": SERVER_USER} if os.getuid() == 0 else {}
        self.folder = Path(tempfile.mkdtemp(prefix="joute-postgres-"))
        if self._user:
            self.folder.chmod(0o755)
            shutil.chown(self.folder, SERVER_USER, SERVER_USER)
        self._data = self.folder / "data"
        self._run("initdb", "-D", self._data, "-U", SERVER_USER, "-A", "trust", "-N", "-E", "UTF8")
        self.start()
        self._schemas = 0

    def _run(self, program: str, *arguments: object) -> str:
        command = [str(self._programs / program), *map(str, arguments)]
        # A server inherits what pg_ctl is given: it must not keep a pipe of ours open.
        with (self.folder / "output").open("a+b") as output:
            done = subprocess.run(
                command, stdout=output, stderr=output, cwd=self.folder, **self._user
            )
            output.seek(0)
            told = output.read().decode(errors="replace")
        if done.returncode != 0:
            raise NoServerError(f"{program} {' '.join(map(str, arguments))}: {told[-2000:]}")
        return told

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=30"
        options += "" if self._safe else " -c fsync=off"
        self._run(
            "pg_ctl", "-D", self._data, "-w", "-l", self.folder / "log", "-o", options, "start"
        )

    def stop(self, mode: str = "immediate") -> None:
        """Stops it, as if it had crashed, or in a better `mode`."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop")

    def url(self) -> str:
        """The URL of a new, empty schema."""
        self._schemas += 1
        name = f"contest_{self._schemas}"
        self._run("psql", "-h", self.folder, "-U", SERVER_USER, "-qc", f"CREATE SCHEMA {name}")
        options = quote(f"-csearch_path={name}")
        return f"postgresql://{SERVER_USER}@/postgres?host={self.folder}&options={options}"

    def remove(self) -> None:
        """Stops it for good; nothing of it is left."""
        self.stop()
        shutil.rmtree(self.folder)
