"""People at the terminal: what they see, what they type, a game in turns, a game in real time."""
