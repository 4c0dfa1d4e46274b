"""The referee: who is asked, what counts, what a fault costs, who is told what."""

import json
import sys
from collections import Counter

import msgspec
import pytest
from play.playing import SEED, actions, chained, lines_of, play_game, plies, seats, virus

from joute import bots
from joute.games import GAMES, GameError
from joute.games.interface import legal, properties
from joute.play.game import GameSpec, identity
from joute.play.record import read_record
from joute.play.seats import InfrastructureError
from joute.play.verify import verify_record

# Speaks the bot protocol in a process of its own. SCRIPT is what it answers in turn: an action, or
# "die". Everything it has heard since its last answer comes back as its message.
PROGRAM = """
import json
import sys

script = SCRIPT
heard = []
for line in sys.stdin:
    message = json.loads(line)
    heard.append(message)
    if message["type"] == "start":
        reply = {"type": "ready"}
    elif message["type"] == "play":
        action = script[min(sum("observation" in m for m in heard), len(script)) - 1]
        if action == "die":
            sys.exit(3)
        if action == "legal":
            action = message["observation"]["legal"][0]
        reply = {"type": "action", "action": action, "message": json.dumps(heard[-2:])}
    else:
        break
    print(json.dumps(reply), flush=True)
"""


@pytest.fixture(autouse=True)
def small_games(monkeypatch):
    """The games that only tests play."""
    monkeypatch.setitem(GAMES, "poker", "games.poker")
    monkeypatch.setitem(GAMES, "pennies", "games.pennies")


@pytest.fixture
def program(tmp_path):
    """Writes a program that answers by a script; gives its name as a bot."""

    def write(*script):
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PROGRAM.replace("SCRIPT", repr(list(script))), "utf-8")
        return f"program:{sys.executable} {path}"

    return write


@pytest.fixture
def file(tmp_path):
    """Writes a file of Python; gives its name as a bot."""

    def write(name, text):
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    return write


def first_legal(game, state, player):
    """A person who plays the first cell there is."""
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)][0]


def poker(*players, seed=SEED, base=".", **values):
    return GameSpec(game="poker", bots=seats(*players, base=base), seed=seed, **values)


def pennies(*players, **values):
    return GameSpec(game="pennies", bots=seats(*players), seed=SEED, **values)


# Ordinary games.


def test_a_game_is_played_to_its_end_and_recorded():
    result = play_game(virus("builtin:greedy", "builtin:random"))
    assert result.ending == "finished"
    assert sum(result.points) == 16
    assert result.returns in ([1, -1], [-1, 1], [0, 0])
    assert result.faults == []
    assert sum(result.asked) == sum(ply["by"] == "bot" for ply in plies(result))
    assert len(actions(result)) == result.plies
    assert verify_record(result.record).ok


def test_the_same_specification_gives_the_same_game():
    spec = virus("builtin:greedy", "builtin:random", size=6, opening=(2, 4))
    first, second = play_game(spec), play_game(spec)
    assert actions(first) == actions(second)
    assert first.identity == second.identity


def test_another_seed_gives_another_game():
    games = {tuple(actions(play_game(virus(seed=f"{seed:032x}")))) for seed in range(5)}
    assert len(games) == 5


def test_a_person_may_answer_with_text_or_a_number():
    texts = iter(["a1", "pass"])

    def ask(game, state, player):
        return next(texts, "pass") if player == 0 else first_legal(game, state, player)

    result = play_game(virus("human", "human", size=3), ask)
    first = next(ply for ply in plies(result) if ply.get("player") == 0)
    assert (first["fault"], first["text"]) == ("illegal", "pass")  # its own corner
    assert verify_record(result.record).ok


def test_an_opening_is_drawn_and_not_asked():
    result = play_game(virus(size=6, opening=(3, 3)))
    made = [ply["by"] for ply in plies(result)]
    assert made[:4] == ["chance", "opening", "opening", "opening"]
    assert set(made[4:]) == {"bot"}


def test_as_many_bots_as_seats_are_needed():
    with pytest.raises(ValueError, match="virus has 2 seats, got 3 bots"):
        play_game(virus(*["builtin:random"] * 3))
    with pytest.raises(ValueError, match="poker has 3 seats, got 2 bots"):
        play_game(poker("builtin:random", "builtin:random"))


def test_what_cannot_be_set_up_is_refused():
    with pytest.raises(GameError, match="did you mean 'virus'"):
        play_game(msgspec.structs.replace(virus(), game="virsu"))
    with pytest.raises(ValueError, match="zero-sum games for two"):
        play_game(poker("builtin:alphabeta", "builtin:random", "builtin:random"))
    with pytest.raises(ValueError, match="hidden information"):
        play_game(poker("builtin:greedy", "builtin:random", "builtin:random"))
    with pytest.raises(ValueError, match="built-ins run inline"):
        play_game(poker("hosted:builtin:random", "builtin:random", "builtin:random"))
    with pytest.raises(ValueError, match="'human' can sit only"):
        play_game(virus("human", "builtin:random"))


def test_a_failure_of_a_built_in_bot_is_ours(monkeypatch):
    class Failing:
        def play(self, state):
            raise OSError("no room")

    monkeypatch.setattr(bots, "make", lambda *_: Failing())
    with pytest.raises(InfrastructureError, match=r"builtin:random failed: OSError\('no room'\)"):
        play_game(virus())


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_a_built_in_bot_plays_the_same_inline_and_hosted(bot):
    inline = play_game(virus(f"builtin:{bot}", "builtin:random", size=5))
    hosted = play_game(virus(f"hosted:builtin:{bot}", "hosted:builtin:random", size=5))
    assert actions(inline) == actions(hosted)
    assert inline.returns == hosted.returns
    said = [[ply.get("message") for ply in plies(each)] for each in (inline, hosted)]
    assert said[0] == said[1]


@pytest.mark.full
def test_alpha_beta_plays_the_same_inline_and_hosted():
    name = "builtin:alphabeta?nodes=300&evaluation=fitted"
    inline = play_game(virus(name, "builtin:random", size=6))
    hosted = play_game(virus(f"hosted:{name}", "hosted:builtin:random", size=6))
    assert actions(inline) == actions(hosted)


# More than two seats, chance, hidden information.


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


CRASHES = "import module_that_does_not_exist\n\n\ndef play(observation, clock):\n    return 0\n"


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


# What is told, and when.


def heard(result, seat):
    """The events of each message that a scripted program got, from what it sent back."""
    messages = [
        message
        for ply in plies(result)
        if ply.get("player") == seat
        for message in json.loads(ply["message"])
        if message["type"] == "play"
    ]
    unique = {json.dumps(message): message for message in messages}
    return [message["events"] for message in unique.values()]


def test_simultaneous_choices_are_told_when_all_are_in(program):
    result = play_game(pennies(program(0, 1, 0), program(1, 0, 0)))
    assert result.ending == "finished"
    assert actions(result) == [0, 1, 1, 0, 0, 0]
    for seat in (0, 1):
        told = heard(result, seat)
        assert [[(each["player"], each["action"]) for each in events] for events in told] == [
            [],
            [(0, 0), (1, 1)],
            [(0, 1), (1, 0)],
        ]
    assert result.points == [1, 2]
    assert verify_record(result.record).ok


def test_a_bot_is_told_of_its_own_card_only(program):
    result = play_game(poker(*[program("bet")] * 3))
    cards = actions(result)[:3]
    for seat in range(3):
        events = heard(result, seat)[0]
        assert [event["action"] for event in events[:3]] == [
            cards[other] if other == seat else 5 for other in range(3)
        ]
        assert len(events) == 3 + seat


def test_each_event_is_told_once_and_in_order(program):
    result = play_game(virus(program("legal"), "builtin:random", size=4))
    told = [event for events in heard(result, 0) for event in events]
    expected = actions(result)
    assert [event["action"] for event in told] == expected[: len(told)]


# Faults and their costs.


def test_an_illegal_answer_costs_the_turn():
    def ask(game, state, player):
        return 10**6 if player == 0 else first_legal(game, state, player)

    result = play_game(virus("human", "human"), ask)
    assert result.ending == "finished"
    assert {(fault.fault, fault.cost) for fault in result.faults} == {("illegal", "turn")}
    lines = [ply for ply in plies(result) if ply.get("player") == 0]
    assert {line["text"] for line in lines} == {"pass"}
    assert lines[0]["detail"] == "answered 1000000, which is not legal here"
    assert verify_record(result.record).ok


@pytest.mark.parametrize("answer", [True, False, None, -1, 0, "z9", "", 3.0, [1, 2], "x" * 1000])
def test_any_other_answer_is_illegal_too(answer):
    result = play_game(virus("human", "builtin:random", size=3), lambda *_: answer)
    assert {fault.fault for fault in result.faults} == {"illegal"}
    assert all(len(fault.detail) < 1200 for fault in result.faults)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_illegal_answer_may_cost_the_game(seat):
    def ask(game, state, player):
        return 10**6 if player == seat else first_legal(game, state, player)

    result = play_game(virus("human", "human", costs={"illegal": "game"}), ask)
    assert result.ending == "forfeit"
    assert result.returns == [-1.0 if player == seat else 1.0 for player in (0, 1)]
    assert "action" not in plies(result)[-1]
    assert verify_record(result.record).ok


def test_a_fault_that_the_specification_does_not_price_costs_the_game():
    result = play_game(virus("human", "builtin:random", costs={}), lambda *_: "z9")
    assert (result.ending, result.faults[0].cost) == ("forfeit", "game")


def test_a_bot_that_cannot_start_has_lost(file):
    result = play_game(virus(file("crashes.py", CRASHES), "builtin:random"))
    assert (result.ending, result.returns, result.plies) == ("forfeit", [-1, 1], 0)
    assert result.faults[0].fault == "start-up"
    assert verify_record(result.record).ok


def test_two_bots_that_cannot_start_have_both_lost(file):
    bot = file("crashes.py", CRASHES)
    result = play_game(virus(bot, bot))
    assert (result.ending, result.returns) == ("forfeit", [-1, -1])
    assert verify_record(result.record).ok


def test_a_bot_that_dies_is_started_again_and_told_all_so_far(program):
    result = play_game(virus("builtin:greedy", program("legal", "legal", "die"), size=5))
    faults = result.faults
    assert [fault.fault for fault in faults] == ["crash"] * 3
    assert [fault.cost for fault in faults] == ["turn", "turn", "game"]
    assert "status 3" in faults[0].detail
    restarted = next(
        message
        for ply in plies(result)
        if ply["ply"] > faults[0].ply and ply.get("player") == 1
        for message in json.loads(ply["message"])
        if message["type"] == "start"
    )
    told = [event["action"] for event in restarted["events"]]
    assert told == actions(result)[: len(told)]
    assert len(told) > faults[0].ply
    assert verify_record(result.record).ok


@pytest.mark.parametrize("restarts", [0, 1])
def test_a_bot_that_died_too_often_has_lost(program, restarts):
    result = play_game(virus("builtin:random", program("die"), max_restarts=restarts))
    assert [fault.cost for fault in result.faults] == ["turn"] * restarts + ["game"]
    assert (result.ending, result.returns) == ("forfeit", [1, -1])


def test_a_crash_in_a_file_costs_its_turn_and_is_explained(file):
    bot = file(
        "odd.py", "def play(observation, clock):\n    print('hi')\n    raise ValueError('odd')\n"
    )
    result = play_game(virus(bot, "builtin:random", size=3))
    assert result.ending == "finished"
    line = next(ply for ply in plies(result) if "fault" in ply)
    assert (line["fault"], line["cost"], line["text"]) == ("crash", "turn", "pass")
    assert "ValueError: odd" in line["detail"]
    assert line["output"] == "hi\n"
    assert verify_record(result.record).ok


def test_messages_and_times_are_kept_with_their_ply(program):
    result = play_game(virus("builtin:greedy", program("legal"), size=3))
    for ply in plies(result):
        if ply["by"] == "bot":
            assert ply["message"]
            assert ply["cpu_ms"] >= 0
            assert ply["wall_ms"] >= 0
    assert result.cpu_ms[1] > 0


# Identity.


def test_the_identity_depends_on_all_that_determines_a_game(file):
    bot = file("bot.py", "def play(observation, clock):\n    return observation['legal'][0]\n")
    spec = virus(bot, "builtin:random")

    def change(**values):
        return msgspec.structs.replace(spec, **values)

    def seat(**values):
        return change(bots=(msgspec.structs.replace(spec.bots[0], **values), spec.bots[1]))

    others = [
        change(seed=SEED[::-1]),
        change(parameters={"size": 5}),
        change(parameters={"size": 4, "voluntary_pass": False}),
        change(opening=(2, 4)),
        change(bots=spec.bots[::-1]),
        change(move_seconds=9.0),
        change(start_seconds=9.0),
        change(memory_mb=512),
        change(costs={**spec.costs, "illegal": "game"}),
        change(max_restarts=1),
        seat(bot="builtin:greedy"),
        seat(python=sys.executable),
        seat(memory_mb=512),
    ]
    found = [identity(spec), *(identity(other) for other in others)]
    file("bot.py", "def play(observation, clock):\n    return observation['legal'][-1]\n")
    found.append(identity(spec))
    assert len(set(found)) == len(found)


def test_the_identity_does_not_depend_on_names_places_or_what_is_left_out(tmp_path):
    spec = virus()
    named = [msgspec.structs.replace(each, name="x", base=str(tmp_path)) for each in spec.bots]
    assert identity(spec) == identity(msgspec.structs.replace(spec, bots=tuple(named)))
    whole = {"voluntary_pass": True, "size": 4}
    assert identity(spec) == identity(msgspec.structs.replace(spec, parameters=whole))
    assert play_game(spec).identity == identity(spec)


def test_a_specification_survives_being_sent():
    spec = virus(opening=(2, 4))
    sent = msgspec.json.decode(msgspec.json.encode(spec), type=GameSpec)
    assert sent == spec
    assert identity(sent) == identity(spec)
