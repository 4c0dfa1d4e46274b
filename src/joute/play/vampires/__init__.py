"""Vampires vs Werewolves over TCP: the frames, a player's connection, and his seat."""
