/* Connect Four in C, as examples/games/connect_four.py has it, for uct.c. */

#include "random.h"

enum { OVER = -2, COLUMNS = 7, ROWS = 6, HEIGHT = 7, PLIES = 2, WON = 3 };
enum { WORDS = 4, MAX_LEGAL = 7, MAX_PLIES = 42 };

INLINE i64 mover(const i64 *state) {
    return state[WON] || state[PLIES] == COLUMNS * ROWS ? OVER : state[PLIES] & 1;
}

INLINE i64 legal(const i64 *restrict state, i64 *restrict out) {
    i64 taken = state[0] | state[1], count = 0;
    for (i64 column = 0; column < COLUMNS; column++) {
        out[count] = column;
        count += !(taken >> (HEIGHT * column + ROWS - 1) & 1);
    }
    return count;
}

INLINE i64 pick(const i64 *restrict state, u64 *restrict rng) {
    i64 taken = state[0] | state[1], column = below(rng, COLUMNS);
    while (taken >> (HEIGHT * column + ROWS - 1) & 1) column = below(rng, COLUMNS);
    return column;
}

INLINE void play(i64 *restrict state, i64 action) {
    i64 player = state[PLIES]++ & 1, foot = 1LL << HEIGHT * action, taken = state[0] | state[1];
    i64 mine = state[player] | ((taken + foot) & ~taken & ((foot << ROWS) - foot)), won = 0;
    state[player] = mine;
    for (int way = 0; way < 4; way++) {
        static const int WAYS[] = {1, HEIGHT - 1, HEIGHT, HEIGHT + 1};
        i64 pairs = mine & mine >> WAYS[way];
        won |= pairs & pairs >> 2 * WAYS[way];
    }
    state[WON] = won != 0;
}

/* For player 0, of a game that is over. */
INLINE double outcome(const i64 *state) {
    return state[PLIES] & 1 ? (double)state[WON] : -(double)state[WON];
}

#include "uct.c"
