"""How contests rank: named rules, one after the other, each for those that are still tied."""
