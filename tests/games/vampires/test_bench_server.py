"""The bench of the tournament server plays a real game over real connections."""

from bench.vampires_server import turn_row


def test_the_cost_of_a_turn_is_measured_on_a_game_that_is_played():
    row = turn_row(plies=20)
    assert row.value > 0
    assert row.unit == "ms"
