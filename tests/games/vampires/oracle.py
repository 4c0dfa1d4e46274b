"""Vampires vs Werewolves once more, slow and plain, written from the specification.

A board is a dictionary from (x, y) to [kind, count], where a kind is "H", 0 for Vampires or 1 for
Werewolves; probabilities are fractions. An order is a list of moves (x, y, count, x2, y2).
"""

from fractions import Fraction
from math import comb


class Oracle:
    """One game. `chance` is asked for the result of each battle: (kind, survivors)."""

    def __init__(self, rows, columns, humans, starts, plies=200, wrap=False):
        self.rows, self.columns, self.plies, self.wrap = rows, columns, plies, wrap
        self.board = {(x, y): ["H", count] for x, y, count in humans}
        for player, (x, y, count) in enumerate(starts):
            self.board[x, y] = [player, count]
        self.turns = 0
        self.skipped = False

    def total(self, kind):
        return sum(count for held, count in self.board.values() if held == kind)

    def player(self):
        return self.turns % 2

    def winner(self):
        """0, 1, "draw", or None while the game goes on."""
        vampires, werewolves = self.total(0), self.total(1)
        if vampires == 0:
            return 1
        if werewolves == 0:
            return 0
        if self.turns < self.plies:
            return None
        if vampires == werewolves:
            return "draw"
        return 0 if vampires > werewolves else 1

    def broken(self, order):
        """The numbers of the rules that an order breaks; 7 is that of too many arrivals."""
        found = set()
        if not 1 <= len(order) <= 255:
            found.add(1)
        leaving, arriving = {}, {}
        for x, y, count, x2, y2 in order:
            leaving[x, y] = leaving.get((x, y), 0) + count
            arriving[x2, y2] = arriving.get((x2, y2), 0) + count
            if self.board.get((x, y), [None])[0] != self.player():
                found.add(2)
            near = abs(x - x2) <= 1 and abs(y - y2) <= 1 and (x, y) != (x2, y2)
            if not near or not (0 <= x2 < self.columns and 0 <= y2 < self.rows):
                found.add(4)
            if count < 1:
                found.add(6)
        if any(count > self.board.get(cell, [None, 0])[1] for cell, count in leaving.items()):
            found.add(3)
        if set(leaving) & set(arriving):
            found.add(5)
        if any(count > 255 for count in arriving.values()):
            found.add(7)
        return found

    def targets(self, order):
        """The arrivals by target."""
        arriving = {}
        for _, _, count, x2, y2 in order:
            arriving[x2, y2] = arriving.get((x2, y2), 0) + count
        return arriving

    def battles(self, order):
        """The targets where chance decides, from the upper left, row by row."""
        found = []
        for (x, y), attackers in self.targets(order).items():
            kind, defenders = self.board.get((x, y), [None, 0])
            weak_on_humans = kind == "H" and attackers < defenders
            weak_on_enemies = kind == 1 - self.player() and attackers < Fraction(3, 2) * defenders
            if weak_on_humans or weak_on_enemies:
                found.append((y, x))
        return [(x, y) for y, x in sorted(found)]

    def play(self, order, results):
        """Apply a legal order; `results` are (kind, survivors) by cell of each battle."""
        me = self.player()
        arriving = self.targets(order)
        battles = self.battles(order)
        for x, y, count, _, _ in order:
            self.board[x, y][1] -= count
        for cell, attackers in arriving.items():
            kind, there = self.board.get(cell, [None, 0])
            if cell in battles:
                kind, survivors = results[cell]
                self.board[cell] = [kind, min(survivors, 255)]
            elif kind in ("H", me):
                both = attackers + there
                self.board[cell] = [me, both % 256 if self.wrap else min(both, 255)]
            else:
                self.board[cell] = [me, attackers]
        self.board = {cell: held for cell, held in self.board.items() if held[1]}
        self.turns += 1

    def skip(self):
        self.turns += 1


def winning_chance(attackers, defenders):
    """P of the specification."""
    if attackers == defenders:
        return Fraction(1, 2)
    if attackers < defenders:
        return Fraction(attackers, 2 * defenders)
    return Fraction(attackers, defenders) - Fraction(1, 2)


def distribution(attackers, defenders, humans):
    """The probability of each (won, survivors)."""
    p = winning_chance(attackers, defenders)
    found = {}
    units = attackers + defenders if humans else attackers
    for n in range(units + 1):
        found[True, n] = p * comb(units, n) * p**n * (1 - p) ** (units - n)
    for n in range(defenders + 1):
        found[False, n] = (1 - p) * comb(defenders, n) * (1 - p) ** n * p ** (defenders - n)
    return found
