"""A game's interface and its laws, kernels, arrays, and where games are found."""
