"""Bots written for the CS Games of 2019."""
