"""`scripts/build`: the wheel and the sdist hold what they should, and are the same each time."""

import email
import hashlib
import subprocess
import tarfile
import zipfile

import building
import pytest
from building import ROOT

import joute

SHIPPED = ("examples", "verifier")
SITE = "joute/web/docs/"

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel and the sdist of the files that git tracks."""
    return building.built(tmp_path_factory)


def tracked(*folders):
    """The paths of the files of folders that git tracks."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {path for path in listed.stdout.split("\0") if path}


def test_a_commit_is_built_to_the_same_bytes_anywhere_at_any_time(built, tmp_path):
    again = building.build(
        tmp_path / "elsewhere", TZ="Asia/Tokyo", TMPDIR=str(tmp_path), SOURCE_DATE_EPOCH="1"
    )
    for one, other in zip(built, again, strict=True):
        assert one.name == other.name
        assert (
            hashlib.sha256(one.read_bytes()).digest() == hashlib.sha256(other.read_bytes()).digest()
        )


def test_the_wheel_holds_the_package_whole_and_what_is_of_use_without_a_clone(built):
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    package = {path.removeprefix("src/") for path in tracked("src/joute")}
    beside = {f"joute/shipped/{path}" for path in tracked(*SHIPPED)}
    site = {name for name in names if name.startswith(SITE)}
    assert names == package | beside | site
    assert {f"{SITE}{language}/index.html" for language in ("en", "fr")} <= site
    kinds = ("/maps/", "/words/", "/web/static/", "/rulebook/", "catalog/", "/shells/", ".npz")
    assert all(any(kind in name for name in names) for kind in kinds)


def test_the_wheel_says_what_it_is_and_offers_the_command_and_the_games(built):
    with zipfile.ZipFile(built[0]) as wheel:
        info = f"joute-{joute.__version__}.dist-info"
        facts = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
        offers = wheel.read(f"{info}/entry_points.txt").decode()
        assert f"{info}/licenses/LICENSE" in wheel.namelist()
    assert (facts["Name"], facts["Version"]) == ("joute", joute.__version__)
    assert facts["Requires-Python"] == ">=3.11"
    assert "joute = joute.cli:run" in offers and "[joute.games]" in offers


def test_the_sdist_holds_every_file_that_git_tracks(built):
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    site = {name for name in names if name.startswith(f"src/{SITE}")}
    assert names == tracked() | {"PKG-INFO"} | site
