"""Small maps with everything in them, for tests of Tron."""


def superset(name, *floors, **options):
    """The text of a map from its floors, each a text of rows."""
    rows = [floor.strip("\n").splitlines() for floor in floors]
    lines = ["tron 1", f"name {name}", f"size {len(rows[0][0])} {len(rows[0])} {len(rows)}"]
    lines += [f"option {key} {value}" for key, value in options.items()]
    for number, floor in enumerate(rows):
        lines += [f"floor {number}", *floor]
    return "\n".join([*lines, "end", ""])


DUEL = superset(
    "duel",
    """
#########
#1      #
#  ##   #
#   ##  #
#      2#
#########""",
)
OPEN = superset(
    "open",
    """
1...2
..#..
.A..B
....3
4.A.B""",
    wrap="xy",
)
CROWD = superset(
    "crowd",
    """
###########
#1 2   3 4#
#   A A   #
#    #    #
#   B B   #
#5 6   7 8#
###########""",
    trail="vanish",
    order="turns",
)
TOWER = superset(
    "tower",
    """
#######
#1  u #
# A   #
#   2 #
#######""",
    """
#######
#   b #
#   A #
#     #
#######""",
    """
#######
#   d #
#  3  #
#     #
#######""",
)
ALL = {"duel": DUEL, "open": OPEN, "crowd": CROWD, "tower": TOWER}
