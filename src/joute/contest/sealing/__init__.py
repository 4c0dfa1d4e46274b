"""Seals of submissions and rules, made before the seed is drawn."""
