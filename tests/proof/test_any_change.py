"""Any change of any column of any row is found, and said in a sentence."""

import shutil
import sqlite3

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from proof.tampering import Copy, columns_of

from joute.contest.proof.difference import difference_text

VALUES = st.one_of(
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=40),
    st.binary(max_size=40),
    st.sampled_from(["[]", "{}", "[1,2]", "null", '[{"seat":0}]', "game", "annulled", "[1e999,1]"]),
)


@pytest.fixture(scope="module", name="copied")
def _copied(original, tmp_path_factory):
    return Copy(original, tmp_path_factory.mktemp("any") / "cup", None)


@pytest.mark.game("virus")
@pytest.mark.full
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_change_of_a_column_is_found(copied, original, data):
    path = copied.results / "contest.sqlite"
    shutil.copy(original / "cup.results" / "contest.sqlite", path)
    table, column = data.draw(st.sampled_from(sorted(columns_of(path))))
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        assume(rows)
        at = data.draw(st.integers(0, rows - 1))
        key = "rowid" if table not in ("seats",) else "game * 100 + seat"
        [chosen] = connection.execute(
            f"SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {at}"
        ).fetchone()
        before = connection.execute(f"SELECT * FROM {table} ORDER BY {key}").fetchall()
        value = data.draw(VALUES)
        try:
            connection.execute(
                f'UPDATE {table} SET "{column}" = ? WHERE {key} = ?', (value, chosen)
            )
        except sqlite3.IntegrityError:
            assume(False)
        connection.commit()
        after = connection.execute(f"SELECT * FROM {table} ORDER BY {key}").fetchall()
        assume(after != before)
    finally:
        connection.close()
    found = copied.verified().differences
    assert found
    assert all(difference_text(each) for each in found)
