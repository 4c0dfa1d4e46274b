"""Poker through the referee: three seats, chance, hidden cards, shared winners."""

from collections import Counter

from play.playing import CRASHES, actions, chained, lines_of, plies, poker

from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.verify import verify_record


def test_poker_is_played_recorded_and_proved():
    endings = Counter()
    for seed in range(12):
        result = play_game(poker(*["builtin:random"] * 3, seed=f"{seed:032x}"))
        assert verify_record(result.record).ok
        assert result.ending == "finished"
        assert sum(result.returns) == 0
        assert result.asked == [1, 1, 1]
        endings[tuple(result.returns)] += 1
    assert len(endings) > 2


def folding(game, state, player):
    return 0


def betting(game, state, player):
    return "bet"


def test_deals_are_the_same_whatever_the_bots_do_and_wherever_they_sit():
    def deals(result):
        return [ply["action"] for ply in plies(result) if ply["by"] == "chance"]

    folded = play_game(poker("human", "human", "human"), folding)
    bet = play_game(poker("human", "human", "human"), betting)
    mixed = play_game(poker("builtin:random", "human", "human"), betting)
    moved = play_game(poker("human", "human", "builtin:random"), betting)
    assert deals(folded) == deals(bet) == deals(mixed) == deals(moved)
    assert actions(folded)[3:] != actions(bet)[3:]


def test_winners_share_the_pot_of_a_game_that_was_played():
    shared = 0
    for seed in range(30):
        result = play_game(poker("human", "human", "human", seed=f"{seed:032x}"), betting)
        cards = [ply["action"] for ply in plies(result)[:3]]
        best = max(card // 2 for card in cards)
        winners = [seat for seat in range(3) if cards[seat] // 2 == best]
        expected = [6 / len(winners) - 2 if seat in winners else -2 for seat in range(3)]
        assert result.returns == expected
        shared += len(winners) == 2
    assert shared > 0


def test_a_forged_deal_is_found():
    result = play_game(poker("human", "human", "human"), betting)
    lines = lines_of(result.record)
    other = next(card for card in range(5) if card not in actions(result)[:3])
    lines[2].update(action=other, text=f"card {other}")
    assert verify_record(chained(lines)).line == 3


def test_one_of_three_that_cannot_start_is_folded_and_loses_most(file):
    bot = file("crashes.py", CRASHES)
    result = play_game(poker("human", bot, "human"), betting)
    assert result.ending == "forfeit"
    assert [(fault.seat, fault.fault, fault.cost) for fault in result.faults] == [
        (1, "start-up", "game")
    ]
    assert "module_that_does_not_exist" in result.faults[0].detail
    assert result.asked == [1, 0, 1]
    assert result.returns[1] == -2
    cards = actions(result)[:3]
    ranks = [card // 2 for card in cards]
    # The others keep what the game gives them: a pot of three antes and two bets.
    if ranks[0] == ranks[2]:
        assert result.returns == [0.5, -2, 0.5]
    else:
        assert sorted([result.returns[0], result.returns[2]]) == [-2, 3]
    assert [ply["by"] for ply in plies(result)] == ["bot", *["chance"] * 3, "bot", "referee", "bot"]
    assert verify_record(result.record).ok


def test_one_of_three_that_loses_the_game_later_is_played_by_the_referee():
    def ask(game, state, player):
        return "raise" if player == 0 else "bet"

    result = play_game(poker("human", "human", "human", costs={"illegal": "game"}), ask)
    assert result.ending == "forfeit"
    assert read_record(result.record).end["forfeits"] == [0]
    assert plies(result)[3]["text"] == "fold"
    assert plies(result)[3]["cost"] == "game"
    assert result.returns[0] == -2
    assert verify_record(result.record).ok
