/* Bits and random numbers in C, as src/joute/games has them (bits.py, random.py). */

#include <stdint.h>

typedef int64_t i64;
typedef uint64_t u64;

#define INLINE static inline __attribute__((always_inline))

INLINE i64 popcount(u64 word) { return __builtin_popcountll(word); }

INLINE i64 kth(u64 word, i64 rank) {
    i64 place = 0;
    for (int width = 32; width; width /= 2) {
        i64 count = popcount((word >> place) & ((1ULL << width) - 1));
        i64 above = rank >= count;
        place += width * above;
        rank -= count * above;
    }
    return place;
}

INLINE i64 below(u64 *restrict rng, i64 bound) {
    u64 first = rng[0], second = rng[1], result = first + second;
    second ^= first;
    rng[0] = (first << 24 | first >> 40) ^ second ^ second << 16;
    rng[1] = second << 37 | second >> 27;
    return (i64)((result >> 32) * (u64)bound >> 32);
}
