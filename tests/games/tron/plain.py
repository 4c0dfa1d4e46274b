"""Territory in Tron a second time, plainly, from a map's text and what a bike sees of the board."""

from joute.core.interface import OVER, observe, parameters
from joute.games.tron.map import read_map

STEPS = {
    "left": (-1, 0, 0),
    "up": (0, 1, 0),
    "right": (1, 0, 0),
    "down": (0, -1, 0),
    "upstairs": (0, 0, 1),
    "downstairs": (0, 0, -1),
}


class Board:
    """The graph of a map. A node is a tuple of places: one, or both ends of a pair."""

    def __init__(self, game):
        settings = parameters(game)
        chart = read_map(settings["map"])
        self.signs = {
            (x, chart.height - 1 - top, floor): sign
            for floor, rows in enumerate(chart.floors)
            for top, row in enumerate(rows)
            for x, sign in enumerate(row)
            if sign != "#"
        }
        self.size = (chart.width, chart.height)
        self.wrap = settings["wrap"]
        ends = {}
        for place, sign in self.signs.items():
            if sign.isupper():
                ends.setdefault(sign, []).append(place)
        self.node = {
            place: tuple(ends[sign]) if sign.isupper() else (place,)
            for place, sign in self.signs.items()
        }
        self.nodes = set(self.node.values())
        self.near = {
            node: {to for place in node for to in self.exits(place)} - {node} for node in self.nodes
        }
        self.colour = self._colours()
        self.bipartite = all(
            self.colour[node] != self.colour[to] for node in self.nodes for to in self.near[node]
        )

    def exits(self, place):
        """The nodes that a bike can enter from a place."""
        found = set()
        for name, step in STEPS.items():
            x, y, floor = (a + b for a, b in zip(place, step, strict=True))
            if name == "upstairs" and self.signs[place] not in ("u", "b"):
                continue
            if name == "downstairs" and self.signs[place] not in ("d", "b"):
                continue
            if "x" in self.wrap:
                x %= self.size[0]
            if "y" in self.wrap:
                y %= self.size[1]
            if (x, y, floor) in self.signs:
                found.add(self.node[x, y, floor])
        return found - {self.node[place]}

    def _colours(self):
        colour = {}
        for node in sorted(self.nodes):
            if node not in colour:
                far = distances({node}, self.near, self.nodes)
                colour.update({each: far[each] % 2 for each in far})
        return colour

    def most(self, cells, entrance):
        """The longest path through a chamber that the colours allow."""
        if not self.bipartite:
            return len(cells)
        same = sum(self.colour[cell] == self.colour[entrance] for cell in cells)
        other = len(cells) - same
        return 2 * same + 1 if other > same else 2 * other

    def chain(self, entrance, exits, own, free, far):
        """The best chains behind an entrance without and with a front: (moves, ends of edges).

        `own` are cells that are joined to it, `far` are the moves from the head to each. Those of a
        chain with a front begin at the head. Two cells are in one chamber if no third one is on all
        ways from the entrance to either.
        """
        best = {False: (0, 0), True: (0, 0)}
        rest = set(own)
        while rest & exits:
            part = set(distances({min(rest & exits)}, self.near, rest))
            rest -= part
            chamber = set(part)
            for cut in part:
                chamber &= {cut} | set(distances((exits & part) - {cut}, self.near, part - {cut}))
            behind = [
                self.chain(cell, self.near[cell], part - chamber, free, far) for cell in chamber
            ]
            ends = [self.near[cell] & free for cell in chamber]
            quiet, ahead = (max(each[front] for each in behind) for front in (False, True))
            quiet = plus(quiet, self.most(chamber, entrance), sum(map(len, ends)))
            through = plus(quiet, far.get(entrance, 0), 0)
            front = any(near - set(far) for near in ends) or ahead > through
            best[front] = max(best[front], max(ahead, through) if front else quiet)
        return best


def plus(chain, moves, ends):
    """A chain with more moves and ends of edges."""
    return chain[0] + moves, chain[1] + ends


def distances(first, near, allowed):
    """Steps from the nodes of `first` to each allowed node that can be reached."""
    found = dict.fromkeys(first, 0)
    queue = list(first)
    for node in queue:
        for to in near[node]:
            if to in allowed and to not in found:
                found[to] = found[node] + 1
                queue.append(to)
    return found


def territory(game, state, player):
    """The value for a player, and, by living bike, (nodes owned, moves, ends of edges), and met."""
    board = Board(game)
    seen = observe(game, state, player)
    height = board.size[1]
    free = {
        node
        for node in board.nodes
        if seen["floors"][node[0][2]][height - 1 - node[0][1]][node[0][0]] not in "*12345678"
    }
    reach, exits, roots = {}, {}, {}
    for bike in seen["alive"]:
        head = tuple(seen["heads"][bike])
        roots[bike] = board.node[head]
        exits[bike] = board.exits(head) & free
        reach[bike] = distances(exits[bike], board.near, free)
    found = {}
    for bike in seen["alive"]:
        own = {
            node
            for node, far in reach[bike].items()
            if all(far < reach[other].get(node, 9999) for other in seen["alive"] if other != bike)
        }
        far = {node: reach[bike][node] + 1 for node in own}
        fill, ends = max(board.chain(roots[bike], exits[bike] & own, own, free, far).values())
        found[bike] = (len(own), fill, ends)
    met = any(set(reach[a]) & set(reach[b]) for a in reach for b in reach if a < b)
    return value(game, seen, found, met, player), found, met


def value(game, seen, found, met, player):
    """The evaluation's number for what was found, of a state that is not over."""
    if game.players == 1:
        return seen["points"][0] + found[0][1]
    teams = seen["teams"] or [[bike] for bike in range(game.players)]
    assert seen["to_move"] != OVER
    close = met or game.players > 2
    sums = {}
    for team in teams:
        alive = [found[bike] for bike in team if bike in found]
        worths = [0.055 * fill + 0.194 * ends if close else 10.0 * fill for _, fill, ends in alive]
        sums[tuple(team)] = sum(worths)
    [mine] = [sum_ for team, sum_ in sums.items() if player in team]
    best = max(sum_ for team, sum_ in sums.items() if player not in team)
    if game.players > 2:
        return (mine - best) / 4
    return 3.3 * (mine - best) / (mine + best + 1) ** 0.5 if met else mine - best
