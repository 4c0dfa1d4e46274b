"""Random games of Love Letter agree with a slow oracle written from the specification."""

import random

import pytest
from games.love_letter.oracle import TOKENS, VALUES, Match, cards_of
from games.love_letter.rounds import (
    choice_number,
    known_deck,
    known_hands,
    legal_actions,
    outcomes,
    play_number,
    standing,
)

from joute.core.interface import CHANCE, OVER, mover, observe, play, points, returns, start
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import PHASE, PLAYING, RANDOM, STARTING

TABLES = [(players, "2019") for players in range(2, 7)]
TABLES += [(players, "classic") for players in range(2, 5)]


class Table:
    """The rules and the oracle, side by side."""

    def __init__(self, players, deck, tokens, seed):
        self.random = random.Random(f"{players} {deck} {tokens} {seed}")
        self.game = make(players=players, deck=deck, tokens=tokens)
        self.deck = deck
        self.state = start(self.game).tolist()
        self.cards = []  # of the round, in the order of drawing; the one set aside last
        starter = self.random.randrange(players)
        needed = TOKENS[players] if tokens == "official" else tokens
        self.oracle = Match(players, needed, self.shuffled, starter)
        self.starter = starter

    def shuffled(self, _number):
        self.cards = cards_of(self.deck)
        self.random.shuffle(self.cards)
        self.drawn = 0
        return list(self.cards)

    def chance(self):
        """Draw as the oracle did: from its shuffled cards, or from what was put back."""
        if self.state[PHASE] == STARTING:
            assert self.starter in outcomes(self.game, self.state)
            play(self.game, self.state, self.starter)
            return
        possible = outcomes(self.game, self.state)
        if self.state[RANDOM] > 0 or not observe(self.game, self.state, 0)["bottom"]:
            card = VALUES[self.cards[self.drawn]]
            self.drawn += 1
        else:
            card = possible[0]
        assert card in possible
        play(self.game, self.state, card)

    def compare(self):
        """Everything that stands after a turn."""
        played = self.oracle.round
        hands = played.hands
        found = standing(self.game, self.state)
        everyone = range(self.game.players)
        cards = [VALUES[hands[each][0]] if each in hands else None for each in everyone]
        assert found == {
            "hands_after": cards,
            "protected_after": sorted(played.protected),
            "deck_after": len(played.deck),
        }
        assert known_deck(self.state) == played.deck_known()
        if not played.reason:
            assert known_hands(self.game, self.state) == played.hands_known()
        seen = observe(self.game, self.state, 0)
        assert seen["discards"] == [[VALUES[card] for card in pile] for pile in played.discards]
        assert seen["spies"] == sorted(played.spies)
        assert seen["points"] == [points(self.game, self.state, each) for each in everyone]

    def play_out(self):
        """A whole game of random choices, compared at each."""
        while mover(self.game, self.state) != OVER:
            if mover(self.game, self.state) == CHANCE:
                self.chance()
                continue
            played = self.oracle.round
            assert mover(self.game, self.state) == played.player
            if self.state[PHASE] == PLAYING:
                self.compare()
                choices = sorted(played.legal())
                numbers = sorted(map(card_number, choices))
            else:
                choices = sorted(played.legal())
                numbers = sorted(map(kept_number, choices))
            assert legal_actions(self.game, self.state) == numbers
            choice = self.random.choice(choices)
            turn = self.state[PHASE] == PLAYING
            play(self.game, self.state, card_number(choice) if turn else kept_number(choice))
            self.advance(choice)
        self.compare_end()

    def advance(self, choice):
        """Play on in the oracle; the rules follow with what is drawn by a Chancellor or Prince."""
        before = self.cards, self.drawn
        ended = self.oracle.play(choice)
        if not ended:
            return
        # The cards of the next round must not be mixed with those that are still to be drawn.
        self.cards, self.drawn = before
        while mover(self.game, self.state) == CHANCE and self.state[PHASE] != STARTING:
            self.chance()
        self.compare()
        assert observe(self.game, self.state, 0)["points"] == self.oracle.tokens
        over = observe(self.game, self.state, 0)["round_over"]
        assert (over["winners"], over["spy_bonus"], over["reason"]) == (
            self.oracle.round.winners,
            self.oracle.round.bonus,
            self.oracle.round.reason,
        )
        if self.oracle.winners is None:
            self.starter = self.random.choice(ended)
            self.oracle.begin(self.starter)

    def compare_end(self):
        """The winners."""
        assert self.oracle.winners is not None
        values = [0.0] * self.game.players
        returns(self.game, self.state, values)
        others, count = self.game.players - 1, len(self.oracle.winners)
        for player, value in enumerate(values):
            won = (self.game.players - count) / (count * others)
            expected = won if player in self.oracle.winners else -1 / others
            assert value == pytest.approx(expected)


def card_number(choice):
    """A card played by its name, as an action."""
    card, target, guess = (*choice, None, None)[:3]
    return play_number(VALUES[card], target, VALUES.get(guess))


def kept_number(choice):
    """A Chancellor's choice by its names, as an action."""
    keep, returned = choice
    return choice_number(VALUES[keep], *(VALUES[card] for card in returned))


@pytest.mark.parametrize(("players", "deck"), TABLES)
def test_random_rounds_agree_with_the_oracle(players, deck):
    for seed in range(25):
        Table(players, deck, 1, seed).play_out()


@pytest.mark.parametrize(("players", "deck"), TABLES)
def test_a_random_game_to_the_official_tokens_agrees_with_the_oracle(players, deck):
    Table(players, deck, "official", 1).play_out()


@pytest.mark.thorough
@pytest.mark.parametrize(("players", "deck"), TABLES)
def test_thousands_of_random_games_agree_with_the_oracle(players, deck):
    for seed in range(100, 1100):
        Table(players, deck, 1, seed).play_out()
    for seed in range(100, 120):
        Table(players, deck, "official", seed).play_out()
        Table(players, deck, 2, seed).play_out()
