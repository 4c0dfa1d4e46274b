"""Paradise, a duel of cards."""
