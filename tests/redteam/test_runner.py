"""The runner where an attack cannot be tried, or where its host dies."""

from joute.files import cache_folder
from joute.host.sandbox import Level
from joute.redteam import runner
from joute.redteam.corpus import corpus
from joute.redteam.messages import HostingOrder
from joute.redteam.runner import HostingProcess, run

[EASY] = [attack for attack in corpus() if attack.name == "read_neighbour"]


def order(bot, **changes):
    words = {"level": "limits", "staging": "game", "plies": 1, "aim": {"decoy": 1}}
    rest = {"secret": "s", "word": "w", "hidden": [], "guarded": []}
    return HostingOrder(**{"bot": bot, "base": ".", **words, **rest, **changes})


def test_a_level_that_is_not_granted_is_not_tried(monkeypatch):
    monkeypatch.setenv("JOUTE_ISOLATION", "limits")
    found = list(run([EASY], [Level.LIMITS, Level.KERNEL], cache_folder()))
    assert [(verdict.level, verdict.succeeded) for verdict in found] == [
        ("limits", True),
        ("kernel", None),
    ]
    assert found[1].stopped_by == "level"


def test_an_attack_that_does_not_start_is_neither_stopped_nor_successful(monkeypatch):
    monkeypatch.setattr(
        runner, "_placed", lambda attack, targets, aim: str(targets.own / "nothing.py")
    )
    [verdict] = run([EASY], [Level.LIMITS], cache_folder())
    assert (verdict.succeeded, verdict.stopped_by) == (None, "start")
    assert "no file or folder" in verdict.proofs[0].what


def test_a_host_that_dies_is_replaced(tmp_path):
    with HostingProcess() as host:
        host._process.kill()
        host._process.wait()
        assert host.carry_out(order("nothing.py")).end == "killed"
        outcome = host.carry_out(order("nothing.py"))
        assert outcome.end == "done"
        assert "nothing.py" in outcome.report.refused


def test_a_bot_that_runs_at_another_level_than_wanted_proves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("JOUTE_ISOLATION", "limits")
    (tmp_path / "bot.py").write_text("def play(observation, clock):\n    return 0\n")
    with HostingProcess() as host:
        outcome = host.carry_out(order(str(tmp_path / "bot.py"), level="kernel"))
    assert "level kernel was wanted, the bot runs at limits" in outcome.report.error


def test_targets_are_removed_when_nobody_waits_for_the_rest(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    found = run([EASY, EASY, EASY], [Level.LIMITS], cache_folder())
    assert next(found).succeeded
    found.close()
    assert list(tmp_path.iterdir()) == []
