"""Paradise once more, slow and plain, written from the specification.

A minion is a dictionary; a player's deck is a list whose last card is drawn next. Actions are
tuples: ("end",), ("power",), ("play", place), ("aim", place, target), ("attack", minion, target),
where a target is "hero", "own hero" (quirks) or the number of an enemy minion from 0.
"""

MINIONS = {  # cost, attack, health
    0: (1, 1, 3), 1: (3, 2, 3), 4: (1, 1, 1), 5: (5, 2, 5), 6: (4, 2, 7), 7: (1, 1, 1),
    8: (2, 3, 2), 10: (10, 7, 14), 11: (2, 2, 2), 14: (6, 6, 5), 15: (2, 2, 2),
    "cub": (None, 2, 2), "hound": (None, 1, 1),
}  # fmt: skip
SPELLS = {2: 3, 3: 1, 9: 4, 12: 3, 13: 3}  # cost
AIMED = (3, 9, 12)
DECK = [0, 0, 1, 1, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 10, 10, 11, 12, 13, 14, 14, 15, 15]


class Player:
    def __init__(self, deck):
        self.deck = list(deck)
        self.hand, self.board, self.destroyed = [], [], []
        self.health, self.mana, self.maximum, self.fatigue = 30, 0, 0, 0
        self.power_used = False

    def draw(self):
        card = self.deck.pop()
        if len(self.hand) < 10:
            self.hand.append(card)
        else:
            self.destroyed.append(card)

    def summon(self, kind):
        if len(self.board) < 7:
            _, attack, health = MINIONS[kind]
            self.board.append(
                {"kind": kind, "attack": attack, "health": health, "most": health,
                 "turns": 0, "attacked": False, "doomed": False}
            )  # fmt: skip

    def attack_of(self, minion):
        place = next(i for i, each in enumerate(self.board) if each is minion)
        wolves = sum(each["kind"] == 7 for each in self.board if each is not minion)
        neighbours = [
            each for i, each in enumerate(self.board) if abs(i - place) == 1 and each["kind"] == 15
        ]
        return minion["attack"] + wolves + len(neighbours)

    def charges(self, minion):
        return minion["kind"] == "hound" or any(each["kind"] == 5 for each in self.board)

    def bury(self):
        dead = [each for each in self.board if each["doomed"] or each["health"] <= 0]
        self.board = [each for each in self.board if not any(each is gone for gone in dead)]
        for gone in dead:
            for each in self.board:
                if each["kind"] == 11:
                    each["attack"] += 2
                    each["health"] += 1
                    each["most"] += 1
            if gone["kind"] == 14:
                self.summon("cub")
                self.summon("cub")


class Oracle:
    """One game. `deck` 0 and 1 are fixed orders; `choose(count)` says whom Deadly Shot hits."""

    def __init__(self, decks, choose, quirks=False):
        self.players = [Player(decks[0]), Player(decks[1])]
        self.choose, self.quirks = choose, quirks
        self.over, self.turn = False, 0
        for player, count in zip(self.players, (3, 4), strict=True):
            for _ in range(count):
                player.draw()
        self.begin(0)

    def dead(self):
        return [player.health <= 0 for player in self.players]

    def begin(self, who):
        self.who, self.turn = who, self.turn + 1
        me = self.players[who]
        me.maximum = min(me.maximum + 1, 10)
        me.mana, me.power_used = me.maximum, False
        for player in self.players:
            for each in player.board:
                each["turns"] += 1
                each["attacked"] = False
        if me.deck:
            me.draw()
        else:
            me.fatigue += 1
            me.health -= me.fatigue
        self.over = any(self.dead())

    def legal(self):
        me, enemy = self.players[self.who], self.players[1 - self.who]
        found = [("end",)]
        if me.mana >= 2 and not me.power_used:
            found.append(("power",))
        targets = ["hero", *range(len(enemy.board))]
        for place, card in enumerate(me.hand):
            if card in SPELLS and SPELLS[card] <= me.mana:
                if card in AIMED:
                    aims = [*targets, "own hero"] if self.quirks else targets
                    found += [("aim", place, target) for target in aims]
                elif enemy.board and (card == 2 or len(me.board) < 7):
                    found.append(("play", place))
            elif card in MINIONS and MINIONS[card][0] <= me.mana and len(me.board) < 7:
                found.append(("play", place))
        for number, each in enumerate(me.board):
            if not each["attacked"] and (each["turns"] > 0 or me.charges(each)):
                found += [("attack", number, target) for target in targets]
        return found

    def play(self, action):
        me, enemy = self.players[self.who], self.players[1 - self.who]
        if action[0] == "power":
            me.mana -= 2
            me.power_used = True
            enemy.health -= 2
        elif action[0] == "play":
            self.play_card(me, enemy, me.hand.pop(action[1]))
        elif action[0] == "aim":
            self.shoot(me, enemy, me.hand.pop(action[1]), action[2])
        elif action[0] == "attack":
            self.fight(me, enemy, me.board[action[1]], action[2])
        if any(self.dead()):
            if self.quirks:
                self.begin(1 - self.who)
            self.over = True
            return
        me.bury()
        enemy.bury()
        if action[0] == "end":
            self.begin(1 - self.who)

    def play_card(self, me, enemy, card):
        if card in MINIONS:
            me.mana -= MINIONS[card][0]
            me.summon(card)
            return
        me.mana -= SPELLS[card]
        if card == 2:
            enemy.board[self.choose(len(enemy.board))]["doomed"] = True
        else:
            for _ in enemy.board:
                me.summon("hound")

    def shoot(self, me, enemy, card, target):
        me.mana -= SPELLS[card]
        damage = {3: 2, 9: 6, 12: 5 if me.board else 3}[card]
        if target == "hero":
            enemy.health -= damage
        elif target == "own hero":
            me.health -= damage
        else:
            enemy.board[target]["health"] -= damage

    def fight(self, me, enemy, attacker, target):
        attacker["attacked"] = True
        blow = me.attack_of(attacker)
        if target == "hero":
            enemy.health -= blow
            return
        defender = enemy.board[target]
        reply = enemy.attack_of(defender)
        defender["health"] -= blow
        attacker["health"] -= reply
        defender["doomed"] |= attacker["kind"] == 1
        attacker["doomed"] |= defender["kind"] == 1
