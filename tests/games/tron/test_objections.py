import pytest
from games.doubted import objections

from joute.core.registry import make


@pytest.mark.parametrize("parameters", [{}, {"players": 1}, {"order": "turns"}])
def test_what_is_no_direction_is_told_with_the_directions(parameters):
    found = objections(make("tron", **parameters), 2)
    assert found.keys() == {"error.tron.no_direction"}
    [said] = found.values()
    assert "is no direction: they are 0 left, 1 up, 2 right, 3 down" in said
