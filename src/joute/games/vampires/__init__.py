"""Vampires vs Werewolves."""
