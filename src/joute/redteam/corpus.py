"""The attacks by name: how each is hosted, from which level on it must fail, and its program.

An attack is a public function or class of a module in `attacks`, one module for each family, whose
docstring says what the attack tries; those on the loader of bots are made by
`joute.redteam.submissions`.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from joute.host.sandbox import Level
from joute.redteam.submissions import SUBMISSIONS

ATTACKS = Path(__file__).parent / "attacks"
_SHARED = ATTACKS / "attempt.py"
_SERVED = '\n\nif __name__ == "__main__":\n    serve(play)\n'


class Attack(NamedTuple):
    """A hostile bot."""

    name: str
    since: Level
    """The lowest level that promises to stop it."""
    staging: str
    """`game`: it plays alone. `partners`: two of it play in different games. `orphan`: the referee
    is killed after it has answered. `seed`: it is told what a bot of a real game is told. `beside`:
    it is a single file in a folder of several bots. `program`: it speaks the protocol itself.
    `programs`: two such play in different games.
    `submission`: it attacks by what it is, not by what it does."""
    plies: int

    def tries(self) -> str:
        """A sentence on its aim, from its docstring."""
        if self.staging == "submission":
            return (SUBMISSIONS[self.name].__doc__ or "").strip()
        return ast.get_docstring(programs()[self.name][1]) or ""

    def program(self) -> str:
        """The text of its bot, a file that needs nothing but the standard library.

        That is what all attacks share, what its family shares, and the attack itself.
        """
        path, definition = programs()[self.name]
        if isinstance(definition, ast.ClassDef):
            chosen = f"Bot = {self.name}\n"
        else:
            chosen = f"play = player({self.name})\n"
        served = _SERVED if self.staging in ("program", "programs") else ""
        wanted = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
        wanted.add(self.name)
        return "\n\n\n".join((_alone(_SHARED), _alone(path, wanted), chosen + served))


@cache
def programs() -> dict[str, tuple[Path, ast.FunctionDef | ast.ClassDef]]:
    """The attacks that are programs, by name: the file of the family, and the definition there."""
    return {
        node.name: (path, node)
        for path in sorted(ATTACKS.glob("*.py"))
        if path != _SHARED
        for node in _tree(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    }


def _alone(path: Path, wanted: Container[str] = ()) -> str:
    """The text of a module without its imports from Joute, and of its attacks only those wanted."""
    kept = [
        node
        for node in _tree(path).body
        if not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("joute."))
        and ((name := getattr(node, "name", "")) not in programs() or name in wanted)
    ]
    return ast.unparse(ast.Module(kept, []))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


_JAIL = """
read_other_bot read_neighbour read_database read_referee_environment read_referee_memory
read_referee_descriptors
read_contest_file read_rival_data read_other_results import_joute
see_sizes see_times see_processes see_network climb_out write_proc
write_other_folder write_own_folder write_temporary write_home damage_other_bot damage_rights
tcp_out tcp_listen udp_out unix_socket abstract_socket netlink
fork_bomb thread_bomb memory_shared memory_file memory_named memory_children disk_fill
kill_referee kill_others stop_others slow_others hurry_itself trace_others
outlive_referee namespaces mount change_root kernel_doors
think_in_child wake_itself continue_itself burn_when_done idle_class sleep_in_threads
partner_files partner_memory partner_sockets partner_locks partner_watching partner_times
partner_names partner_keys
partner_descriptors partner_socket_kinds partner_access_times partner_page_cache partner_use
rights_by_number flags_of_file numbers_new old_entries old_behaviours damage_by_opening links_made
read_by_handle signal_by_pipe
memory_sockets memory_pipes memory_rules memory_filters memory_kinds memory_locked
descriptors_hidden wake_by_timer timers_all signals_all requests_all lower_itself widen_limits
fork_by_number signal_by_number tcp_other_ways mount_anew rarer_doors undumpable
daemon_in_disguise program_daemon
program_reading program_fork_bomb program_thinking program_waking
program_uncollected program_orphaned program_sibling program_processes program_descriptors
"""
"""Attacks that only a jail stops, in the order of the table."""

_REFEREE = """
read_inherited memory_own memory_stack memory_tables memory_protected daemon
line_huge line_endless line_slow line_malformed line_nested line_not_unicode line_with_nul
line_of_big_numbers flood_of_output flood_over_turns flood_of_errors answer_twice answer_early
claim_infrastructure
silence spinning deaf_to_signals closed_channel long_goodbye clock_forged host_replaced
think_in_thread burn_in_child program_burning guess_seed
"""
"""Attacks that the referee and the limits stop."""

_READING = ("loader_link",)
"""Submissions that only a jail keeps from reading what they name."""

_STAGINGS = {
    "outlive_referee": "orphan",
    "guess_seed": "seed",
    "program_descriptors": "programs",
    **dict.fromkeys(
        ("read_neighbour", "read_contest_file", "read_rival_data", "read_other_results"), "beside"
    ),
}
_HEAVY = """
fork_bomb fork_by_number program_fork_bomb memory_own memory_stack memory_tables memory_protected
memory_sockets memory_pipes memory_rules memory_filters memory_kinds memory_shared memory_file
memory_named memory_children disk_fill read_referee_memory guess_seed
"""
_FLOODS = {"flood_over_turns": 24, "flood_of_errors": 80}
_PLIES = {
    "burn_when_done": 1,
    "line_malformed": 5,
    "line_not_unicode": 3,
    **_FLOODS,
    **dict.fromkeys(_HEAVY.split(), 1),
}
_USUAL_PLIES = 2


def corpus() -> list[Attack]:
    """All attacks, in the order of the table."""
    return list(_attacks())


def _attacks() -> Iterator[Attack]:
    for since, names in ((Level.KERNEL, _JAIL), (Level.LIMITS, _REFEREE)):
        for name in names.split():
            yield Attack(name, since, _staging(name), _PLIES.get(name, _USUAL_PLIES))
    for name in SUBMISSIONS:
        # The loader checks a bot's files, the jail what they lead to.
        since = Level.KERNEL if name in _READING else Level.LIMITS
        yield Attack(name, since, "submission", 1)


def _staging(name: str) -> str:
    first = name.partition("_")[0]
    return _STAGINGS.get(name, {"partner": "partners", "program": "program"}.get(first, "game"))
