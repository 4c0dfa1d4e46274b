"""`python -m bench NAME [--json]`: measure, and print a row a figure."""

import argparse
from importlib import import_module

from bench.rows import print_table, to_json

BENCHES = {
    "batch": "bench.batch",
    "champions": "bench.champions",
    "channels": "bench.channels",
    "cold": "bench.cold",
    "contest": "bench.contest",
    "interop": "bench.interop",
    "isolation": "bench.isolation",
    "kills": "bench.kills",
    "levels": "bench.levels",
    "love-letter": "bench.love_letter",
    "paradise": "bench.paradise",
    "proof": "bench.proof",
    "search": "bench.search",
    "store": "bench.store",
    "tron": "bench.tron",
    "tron-alone": "bench.tron_alone",
    "vampires": "bench.vampires",
    "virus": "bench.virus",
    "web": "bench.web",
}
"""The module of each bench; its `rows()` measures."""


def main() -> None:
    """Runs the bench that the command line names; without a name, lists them."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("name", nargs="?", choices=BENCHES, help="what to measure")
    parser.add_argument(
        "games", nargs="*", help="of `champions`, `cold`, `levels`, `tron-alone`: only these"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    if arguments.name is None:
        print("\n".join(BENCHES))
        return
    bench = import_module(BENCHES[arguments.name])
    known = getattr(bench, "GAMES", ())
    for game in arguments.games:
        if game not in known:
            parser.error(
                f"{arguments.name} has no part {game!r} (there are: {', '.join(known) or 'none'})"
            )
    rows = list(bench.rows(*arguments.games))
    if arguments.json:
        print(to_json(rows))
    else:
        print_table(rows)


if __name__ == "__main__":
    main()
