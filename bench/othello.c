/* Othello in C, as examples/games/othello.py has it, for uct.c. */

#include "random.h"

enum { OVER = -2, PASS = 64, MOVER = 2, TARGETS = 3 };
enum { WORDS = 4, MAX_LEGAL = 34, MAX_PLIES = 128 };

static const u64 INNER = 0x7E7E7E7E7E7E7E7E;

INLINE u64 moved(u64 word, int shift) { return shift > 0 ? word << shift : word >> -shift; }

INLINE u64 run(u64 stones, u64 over, int shift) {
    u64 line = moved(stones | (moved(stones, shift) & over), shift) & over;
    u64 pairs = over & moved(over, shift);
    line |= moved(line, 2 * shift) & pairs;
    return line | (moved(line, 2 * shift) & pairs);
}

#define EACH_WAY(do)                                                                              \
    do(1, INNER) do(7, INNER) do(8, ~0ULL) do(9, INNER)                                           \
    do(-1, INNER) do(-7, INNER) do(-8, ~0ULL) do(-9, INNER)

INLINE u64 targets(u64 mine, u64 others) {
    u64 found = 0;
#define FIND(shift, cells) found |= moved(run(mine, others & (cells), shift), shift);
    EACH_WAY(FIND)
    return found & ~(mine | others);
}

INLINE i64 mover(const i64 *state) { return state[MOVER]; }

INLINE i64 legal(const i64 *restrict state, i64 *restrict out) {
    i64 count = 0;
    out[0] = PASS;
    for (u64 rest = state[TARGETS]; rest; rest &= rest - 1)
        out[count++] = __builtin_ctzll(rest);
    return count ? count : 1;
}

INLINE i64 pick(const i64 *restrict state, u64 *restrict rng) {
    i64 actions[MAX_LEGAL], count = legal(state, actions);
    return actions[below(rng, count)];
}

INLINE void play(i64 *restrict state, i64 action) {
    i64 player = state[MOVER];
    u64 mine = state[player], others = state[1 - player];
    if (action != PASS) {
        u64 stone = 1ULL << action, turned = stone;
#define TURN(shift, cells)                                                                        \
    {                                                                                             \
        u64 line = run(stone, others & (cells), shift);                                           \
        if (moved(line, shift) & mine) turned |= line;                                            \
    }
        EACH_WAY(TURN)
        state[player] = mine |= turned;
        state[1 - player] = others &= ~turned;
    }
    state[TARGETS] = targets(others, mine);
    state[MOVER] = state[TARGETS] || targets(mine, others) ? 1 - player : OVER;
}

/* For player 0, of a game that is over. */
INLINE double outcome(const i64 *state) {
    i64 lead = popcount(state[0]) - popcount(state[1]);
    return (lead > 0) - (lead < 0);
}

#include "uct.c"
