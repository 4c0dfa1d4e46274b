"""Learning: games that a search plays against itself, and weights that are fitted to them."""
