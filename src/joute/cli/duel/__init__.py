"""Paradise as its contest ran it: agents by the names of modules, at this terminal."""
