"""Players of the game, and what they weigh."""
