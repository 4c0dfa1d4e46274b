"""Crashes while it is imported."""

import module_that_does_not_exist


def ia(game, side):
    return module_that_does_not_exist.best(game, side)
