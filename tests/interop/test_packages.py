import subprocess
import sys

import pytest

PROGRAM = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
import joute
try:
    {action}
except (joute.Error, ImportError) as error:
    print(f"{{type(error).__name__}}: {{error}}")
else:
    print("imported")
"""
PACKAGES = {"gymnasium", "pettingzoo", "pyspiel", "pyarrow"}
NEEDS = {
    "pettingzoo": {"pettingzoo", "gymnasium"},
    "gymnasium": {"gymnasium"},
    "openspiel": {"pyspiel"},
    "data": set(),
}


def said(action, missing):
    """The output of a program that lacks some packages."""
    program = PROGRAM.format(missing=sorted(missing), action=action)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("module", NEEDS)
def test_a_module_needs_no_package_of_the_others(module):
    assert said(f"import joute.interop.{module}", PACKAGES - NEEDS[module]) == "imported\n"


@pytest.mark.parametrize(
    ("package", "extra"),
    [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("pyspiel", "openspiel")],
)
def test_a_missing_package_is_told_with_the_extra_that_brings_it(package, extra):
    assert said(f"import joute.interop.{extra}", {package}) == (
        f"MissingPackageError: the Python package {package} is not installed: "
        f"pip install 'joute[{extra}]'\n"
    )


def test_a_table_for_parquet_needs_pyarrow(tmp_path):
    from interop.kinds import PENNIES

    import joute

    [record, *_] = joute.match(PENNIES, "builtin:random", lambda *_: 0, games=2).records
    (tmp_path / "game.jsonl").write_bytes(record.content)
    action = f"joute.interop.data.positions({str(tmp_path)!r}).save('{tmp_path}/x.parquet')"
    assert said(f"import joute.interop.data; {action}", {"pyarrow"}) == (
        "MissingPackageError: the Python package pyarrow is not installed: "
        "pip install 'joute[data]'\n"
    )
