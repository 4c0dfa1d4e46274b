"""Games that a contest or a tournament's server plays elsewhere, watched as they happen."""
