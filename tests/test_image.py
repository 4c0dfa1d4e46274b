"""The `Dockerfile`: what can be checked of it without Docker, and a real build where it works."""

import fnmatch
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Dockerfile").read_text("utf-8")
LINES = [
    tuple(line.split(maxsplit=1))
    for line in re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE)).splitlines()
    if line.strip()
]
FINAL = LINES[max(place for place, (word, _) in enumerate(LINES) if word == "FROM") :]


def test_the_last_stage_runs_as_a_user_by_number_that_is_not_root():
    users = [rest for word, rest in FINAL if word == "USER"]
    assert users == ["10001:10001"]
    after = [word for word, _ in FINAL[[word for word, _ in FINAL].index("USER") :]]
    assert "COPY" not in after


def test_what_is_copied_is_there():
    stages = re.findall(r"^FROM .* AS (\w+)$", TEXT, re.MULTILINE)
    for word, rest in LINES:
        if word == "COPY" and rest.startswith("--from="):
            stage, source, target = re.fullmatch(r"--from=(\w+) (\S+) (\S+)", rest).groups()
            assert stage in stages
            assert source == target  # a virtual environment works only where it was made
        elif word == "COPY":
            assert all((ROOT / each).exists() for each in rest.split()[:-1])


def test_all_that_is_let_through_to_the_build_is_there_and_the_build_has_all_it_names():
    rules = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    let = [rule[1:] for rule in rules if rule.startswith("!")]
    assert "*" in rules
    assert all((ROOT / each).exists() for each in let)
    needed = ("requirements.lock", "pyproject.toml", "docs/site/build.py", "scripts/shipped.py")
    assert all(any(fnmatch.fnmatch(f"{each}/", f"{rule}/*") for rule in let) for each in needed)


def test_it_serves_at_its_port_and_keeps_its_data_in_its_volume():
    told = dict(FINAL)
    assert json.loads(told["ENTRYPOINT"]) == ["joute"]
    assert json.loads(told["CMD"]) == ["serve", "--host", "0.0.0.0"]
    assert told["VOLUME"] == told["WORKDIR"] == "/data"
    assert "XDG_DATA_HOME=/data" in told["ENV"]
    assert told["EXPOSE"] == "8000"


def test_joute_lies_where_bots_do_not_read():
    from joute.host.sandbox.paths import SYSTEM

    [copied] = [rest for word, rest in FINAL if word == "COPY"]
    place = Path(copied.split()[-1])
    assert not any(place.is_relative_to(each) for each in SYSTEM)


def test_the_image_is_built_and_doctor_finds_nothing_wrong_inside():
    # Skipped without failing: CI has no Docker, and no base image can be fetched there.
    program = shutil.which("docker") or shutil.which("podman")
    if program is None or subprocess.run([program, "info"], capture_output=True).returncode:
        pytest.skip("neither docker nor podman works here; CI has none")
    if subprocess.run([program, "pull", "python:3.13-slim"], capture_output=True).returncode:
        pytest.skip("the base image cannot be fetched; CI has no network for it")
    subprocess.run([program, "build", "--tag", "joute-test", str(ROOT)], check=True)
    told = subprocess.run([program, "run", "--rm", "joute-test", "doctor"], check=True)
    assert told.returncode == 0
