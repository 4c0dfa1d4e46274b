"""Love Letter once more, slow and plain, written from the specification.

Cards are names, the deck is a list whose first card is drawn first. A choice is a tuple: (card,),
(card, target) or (card, target, guess); a Chancellor's is (keep, [returned, in order of drawing]).
What a player has seen of another's hand is a pair (viewer, holder) with the card.
"""

VALUES = {
    "Spy": 0, "Guard": 1, "Priest": 2, "Baron": 3, "Handmaid": 4, "Prince": 5, "Chancellor": 6,
    "King": 7, "Countess": 8, "Princess": 9,
}  # fmt: skip
DECK = (
    ["Spy"] * 2 + ["Guard"] * 6 + ["Priest"] * 2 + ["Baron"] * 2 + ["Handmaid"] * 2
    + ["Prince"] * 2 + ["Chancellor"] * 2 + ["King", "Countess", "Princess"]
)  # fmt: skip
TOKENS = {2: 6, 3: 5, 4: 4, 5: 3, 6: 3}


def cards_of(deck):
    """The cards of a deck, in no order: "2019", or "classic" without 1 Guard and four others."""
    cards = list(DECK)
    if deck == "classic":
        for card in ("Guard", "Chancellor", "Chancellor", "Spy", "Spy"):
            cards.remove(card)
    return cards


class Round:
    """One round. The cards are in the order in which they are dealt, the one set aside last."""

    def __init__(self, players, cards, starter):
        cards = list(cards)
        self.players = players
        self.aside = cards.pop()
        self.face_up = [cards.pop(0) for _ in range(3)] if players == 2 else []
        self.hands = {player: [cards.pop(0)] for player in range(players)}
        self.deck = [[card, None] for card in cards]  # with who knows its place
        self.discards = [[] for _ in range(players)]
        self.protected = set()
        self.spies = set()
        self.known = {}  # (viewer, holder): the card that the viewer has seen in the hand
        self.drawn_known = set()  # who knows the card drawn for the turn
        self.player = starter
        self.chancellor = False
        self.reason = None
        self.winners = self.bonus = None
        self.begin_turn()

    def living(self):
        return sorted(self.hands)

    def begin_turn(self):
        self.protected.discard(self.player)
        card, owner = self.deck.pop(0)
        self.drawn_known = {owner} & set(self.hands)
        self.drawn = card
        self.hands[self.player].append(card)

    def legal(self):
        """All choices, in no order."""
        hand = self.hands[self.player]
        if self.chancellor:
            return self.chancellor_choices()
        if "Countess" in hand and ("King" in hand or "Prince" in hand):
            hand = ["Countess"]
        choices = set()
        for card in hand:
            others = [
                other
                for other in self.hands
                if other != self.player and other not in self.protected
            ]
            if card == "Guard":
                names = [name for name in VALUES if name != "Guard"]
                found = {(card, other, name) for other in others for name in names}
            elif card in ("Priest", "Baron", "King"):
                found = {(card, other) for other in others}
            elif card == "Prince":
                found = {(card, other) for other in [*others, self.player]}
            else:
                found = set()
            choices |= found or {(card,)}
        return choices

    def chancellor_choices(self):
        hand = self.hands[self.player]
        choices = set()
        for number, keep in enumerate(hand):
            rest = hand[:number] + hand[number + 1 :]
            choices |= {(keep, tuple(rest)), (keep, tuple(reversed(rest)))}
        return choices

    def play(self, choice):
        if self.chancellor:
            self.put_back(*choice)
        else:
            self.play_card(*choice)
        if not self.chancellor:
            self.end_turn()

    def play_card(self, card, target=None, guess=None):
        me = self.player
        self.remember(me, card)
        self.hands[me].remove(card)
        self.discards[me].append(card)
        if card == "Spy":
            self.spies.add(me)
        elif card == "Handmaid":
            self.protected.add(me)
        elif card == "Princess":
            self.out(me)
        elif card == "Chancellor":
            self.draw_for_chancellor()
        elif target is not None:
            getattr(self, card.lower())(me, target, guess)

    def remember(self, me, card):
        """Updates who knows the hand from which this card is played."""
        held = self.hands[me][0]
        for viewer in self.hands:
            if viewer == me:
                continue
            saw_held = self.known.pop((viewer, me), None) is not None
            saw_drawn = viewer in self.drawn_known
            if saw_held and saw_drawn:
                self.known[viewer, me] = self.drawn if held == card else held
            elif saw_held and held != card:
                self.known[viewer, me] = held
            elif saw_drawn and self.drawn != card:
                self.known[viewer, me] = self.drawn

    def forget(self, holder):
        for viewer, other in list(self.known):
            if other == holder:
                del self.known[viewer, other]

    def guard(self, me, target, guess):
        if self.hands[target] == [guess]:
            self.out(target)

    def priest(self, me, target, guess):
        self.known[me, target] = self.hands[target][0]

    def baron(self, me, target, guess):
        mine, theirs = self.hands[me][0], self.hands[target][0]
        if VALUES[mine] > VALUES[theirs]:
            self.out(target)
        elif VALUES[mine] < VALUES[theirs]:
            self.out(me)
        else:
            self.known[me, target] = theirs
            self.known[target, me] = mine

    def prince(self, me, target, guess):
        card = self.hands[target][0]
        if card == "Princess":
            self.out(target)
            return
        self.discards[target].append(card)
        if card == "Spy":
            self.spies.add(target)
        self.forget(target)
        if self.deck:
            card, owner = self.deck.pop(0)
            if owner in self.hands and owner != target:
                self.known[owner, target] = card
        else:
            card, self.aside = self.aside, None
        self.hands[target] = [card]

    def king(self, me, target, guess):
        self.hands[me], self.hands[target] = self.hands[target], self.hands[me]
        moved = {}
        for (viewer, holder), card in list(self.known.items()):
            if holder in (me, target):
                del self.known[viewer, holder]
                moved[viewer, target if holder == me else me] = card
        self.known |= {pair: card for pair, card in moved.items() if pair[0] != pair[1]}
        self.known[me, target] = self.hands[target][0]
        self.known[target, me] = self.hands[me][0]

    def draw_for_chancellor(self):
        if not self.deck:
            return
        self.forget(self.player)
        for _ in range(min(2, len(self.deck))):
            self.hands[self.player].append(self.deck.pop(0)[0])
        self.chancellor = True

    def put_back(self, keep, returned):
        self.hands[self.player] = [keep]
        self.deck += [[card, self.player] for card in returned]
        self.chancellor = False

    def out(self, player):
        self.discards[player] += self.hands.pop(player)
        self.protected.discard(player)
        self.spies.discard(player)
        for viewer, holder in list(self.known):
            if player in (viewer, holder):
                del self.known[viewer, holder]

    def end_turn(self):
        if len(self.hands) == 1:
            self.reason = "elimination"
            self.winners = self.living()
        elif not self.deck:
            self.reason = "showdown"
            best = max(VALUES[hand[0]] for hand in self.hands.values())
            self.winners = [each for each in self.living() if VALUES[self.hands[each][0]] == best]
        if self.reason:
            self.bonus = next(iter(self.spies)) if len(self.spies) == 1 else None
            return
        self.player = (self.player + 1) % self.players
        while self.player not in self.hands:
            self.player = (self.player + 1) % self.players
        self.begin_turn()

    def deck_known(self):
        return sorted(
            [owner, number, VALUES[card]]
            for number, (card, owner) in enumerate(self.deck)
            if owner in self.hands
        )

    def hands_known(self):
        return sorted([*pair, VALUES[card]] for pair, card in self.known.items())


class Match:
    """Rounds to a number of tokens, 1 for a single round. `shuffled(round)` orders its cards."""

    def __init__(self, players, tokens, shuffled, starter):
        self.players, self.needed, self.shuffled = players, tokens, shuffled
        self.tokens = [0] * players
        self.number = 0
        self.winners = None
        self.begin(starter)

    def begin(self, starter):
        self.number += 1
        self.round = Round(self.players, self.shuffled(self.number), starter)

    def play(self, choice):
        """The players among whom the next starter is drawn, or None within a round."""
        self.round.play(choice)
        if not self.round.reason:
            return None
        for player in self.round.winners:
            self.tokens[player] += 1
        if self.round.bonus is not None:
            self.tokens[self.round.bonus] += 1
        if self.needed == 1:
            self.winners = self.round.winners
        elif max(self.tokens) >= self.needed:
            self.winners = [p for p in range(self.players) if self.tokens[p] >= self.needed]
        return self.round.winners
