"""The game at the terminal: its board, its choices, what may be typed."""
