"""Random numbers that are the same in a kernel and in pure Python.

The generator is xoroshiro128+ (Blackman and Vigna, 2018, constants 24, 16, 37); its state is a
uint64[2] array that belongs to whoever draws, so every search is reproducible by itself. It is
filled from a number by splitmix64, as its authors advise.
"""

from typing import Any

import numpy as np
from numba import int64, uint64

from joute.core.compiling import HelperCompiler, shared_overload

CALLED = {
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "pipeline_class": HelperCompiler,
    "forceinline": False,
}
"""Options of everything a kernel calls. Reference counting of arrays costs three quarters of the
speed; the private `_nrt=False` removes it, hence the pin on numba's minor version."""

INLINE = CALLED | {"forceinline": True}
"""Options of everything a kernel inlines, wherever it is called."""

_MASK = (1 << 64) - 1


def generator(seed: int) -> np.ndarray:
    """A generator, uint64[2], filled from any int; equal seeds give equal draws."""
    words = np.empty(2, np.uint64)
    _fill(words, seed & _MASK)
    return words


def generators(seed: int, count: int) -> np.ndarray:
    """uint64[count, 2]: the generators that are filled from seed, seed + 1, and so on."""
    words = np.empty((count, 2), np.uint64)
    _fill(words.T, np.arange(count, dtype=np.uint64) + np.uint64(seed & _MASK))
    return words


def _fill(words: np.ndarray, counter: Any) -> None:
    """Writes two words of splitmix64 from a number, or from each of an array of uint64."""
    for index in range(2):
        counter = (counter + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        words[index] = mixed ^ (mixed >> 31)


def bits(rng: Any) -> int:
    """The next 64 random bits; advances `rng`."""
    first, second = int(rng[0]), int(rng[1])
    result = (first + second) & _MASK
    second ^= first
    rng[0] = ((first << 24 | first >> 40) & _MASK) ^ second ^ ((second << 16) & _MASK)
    rng[1] = (second << 37 | second >> 27) & _MASK
    return result


@shared_overload(bits, INLINE)
def _compiled_bits(rng):
    def compiled(rng):
        first, second = rng[0], rng[1]
        result = first + second
        second ^= first
        rng[0] = ((first << uint64(24)) | (first >> uint64(40))) ^ second ^ (second << uint64(16))
        rng[1] = (second << uint64(37)) | (second >> uint64(27))
        return result

    return compiled


def below(rng: Any, bound: int) -> int:
    """A draw from 0..bound - 1: 32 random bits times `bound`, biased by less than bound / 2^32."""
    return ((bits(rng) >> 32) * int(bound)) >> 32


@shared_overload(below, INLINE)
def _compiled_below(rng, bound):
    def compiled(rng, bound):
        return int64(((bits(rng) >> uint64(32)) * uint64(bound)) >> uint64(32))

    return compiled


def uniform(rng: Any) -> float:
    """A draw from [0, 1), a multiple of 2^-53."""
    return (bits(rng) >> 11) * 2.0**-53


@shared_overload(uniform, INLINE)
def _compiled_uniform(rng):
    def compiled(rng):
        return float(bits(rng) >> uint64(11)) * 2.0**-53

    return compiled
