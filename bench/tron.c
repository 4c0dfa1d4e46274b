/* Random games of Tron alone, in lanes, in C: what the kernel of joute is measured against.

   The layout of states, the order in which lanes take turns, the random stream and the draws are
   those of src/joute (games/tron_solo.py, search/playouts.py), so that both sides play the same games
   and their results must agree exactly. Within that, this is C as fast as we can write it: whether
   the board lies in rows is decided once, pointers do not alias, the generator is in registers, an
   answer into a wall cannot come and is not looked for. States are of one byte a word: rooms of up to 255 places. */

#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;

enum { HEAD, MADE, SHUT, COURSE, PLACES = 8, ALL_SHUT = 63, NO_STAIRS = 48, DRAWS = 60 };
enum { LANES = 8 };
#define INLINE static inline __attribute__((always_inline))

static uint8_t PICKS[64 * 64];

__attribute__((constructor)) static void fill_tables(void) {
    for (int shut = 0; shut < ALL_SHUT; shut++) {
        int free[6], count = 0;
        for (int bit = 0; bit < 6; bit++)
            if (!(shut >> bit & 1)) free[count++] = bit;
        for (int draw = 0; draw < DRAWS; draw++) PICKS[64 * shut + draw] = free[draw % count];
    }
}

typedef struct {
    i64 directions, width;
    const int32_t *beside, *pair;
} rules;

INLINE i64 below(u64 *restrict rng, u64 bound) {
    u64 first = rng[0], second = rng[1], result = first + second;
    second ^= first;
    rng[0] = (first << 24 | first >> 40) ^ second ^ second << 16;
    rng[1] = second << 37 | second >> 27;
    return (result >> 32) * bound >> 32;
}

/* One move of a bike that has a free direction. */
INLINE void step(const rules *game, i64 in_rows, uint8_t *restrict state, u64 *restrict rng) {
    i64 action = PICKS[64 * state[SHUT] + below(rng, DRAWS)];
    i64 place = game->beside[8 * state[HEAD] + action];
    uint8_t *restrict places = state + PLACES;
    state[HEAD] = place;
    state[MADE]++;
    places[place] = 1;
    if (in_rows) {
        state[COURSE] = action;
        const uint8_t *here = places + place;
        state[SHUT] = NO_STAIRS | here[-1] | here[game->width] << 1 | here[1] << 2
                      | here[-game->width] << 3;
        return;
    }
    if (action < 4) state[COURSE] = action;
    places[game->pair[place]] = 1;
    const int32_t *to = game->beside + 8 * place;
    i64 stairs = game->directions > 4 ? places[to[4]] << 4 | places[to[5]] << 5 : NO_STAIRS;
    state[SHUT] = stairs | places[to[0]] | places[to[1]] << 1 | places[to[2]] << 2
                  | places[to[3]] << 3;
}

INLINE i64 play_all(const rules *game, i64 in_rows, const uint8_t *restrict root, i64 words,
                    i64 count, u64 *restrict generator, uint8_t *restrict states,
                    double *restrict total) {
    u64 rng[2] = {generator[0], generator[1]};
    i64 live = count < LANES ? count : LANES, waiting = count - live, moves = 0, made = 0;
    for (i64 lane = 0; lane < live; lane++) memcpy(states + lane * words, root, words);
    if (root[SHUT] == ALL_SHUT) {
        *total = (double)count * root[MADE];
        return 0;
    }
    while (live) {
        uint8_t *restrict state = states;
        for (i64 lane = 0; lane < live; lane++, state += words) {
            while (__builtin_expect(state[SHUT] == ALL_SHUT, 0)) {
                made += state[MADE];
                if (waiting) {
                    waiting--;
                    memcpy(state, root, words);
                } else if (lane < --live) {
                    memcpy(state, states + live * words, words);
                } else {
                    break;
                }
            }
            if (lane < live) {
                step(game, in_rows, state, rng);
                moves++;
            }
        }
    }
    generator[0] = rng[0];
    generator[1] = rng[1];
    *total = made;
    return moves;
}

i64 lanes(const rules *game, const uint8_t *root, i64 words, i64 count, u64 *generator,
          uint8_t *states, double *total) {
    if (game->width) return play_all(game, 1, root, words, count, generator, states, total);
    return play_all(game, 0, root, words, count, generator, states, total);
}
