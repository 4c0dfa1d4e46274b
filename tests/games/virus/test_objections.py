from games.doubted import objections

from joute.core.registry import make


def test_an_illegal_action_is_told_with_the_rule_that_it_breaks():
    bits = objections(make("virus", size=4, voluntary_pass=False), 10)
    grid = objections(make("virus", size=11), 1)
    assert bits.keys() == {*grid, "error.virus.pass"}
    assert grid.keys() == {"error.virus.off", "error.virus.occupied", "error.virus.apart"}
    assert bits["error.virus.pass"] == "nobody passes who can place a stone"
    assert " is off the grid, whose cells are 0 to 15 " in bits["error.virus.off"]
    assert bits["error.virus.occupied"].startswith("there is a stone on ")
    assert bits["error.virus.apart"].endswith(" touches no stone of yours")
