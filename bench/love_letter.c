/* Random games of Love Letter in C: what the kernels of joute are measured against.

   The layout of states, the random stream and the order of choices are those of
   src/joute/games/love_letter, and the rules are known at run time only, so that both sides do
   the same work and their results must agree exactly. Within that, this is C as fast as we can
   write it: pointers do not alias, and blocks are cleared and moved at once. */

#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef int16_t cell;

#define INLINE static inline __attribute__((always_inline))

enum { SPY, GUARD, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS, CARDS };
enum { PHASE, CURRENT, RANDOM, BOTTOM_COUNT, DUE, REASON, RECEIVER, ALIVE, PROTECTED, SPIES,
       WINNERS, SECOND, THIRD, SECOND_KNOWN, ASIDE_GONE, BONUS, LOGGED, ROUND, POOL };
enum { MOST_PLAYERS = 6, BOTTOM = POOL + CARDS, BOTTOM_KNOWN = BOTTOM + 4,
       HANDS = BOTTOM_KNOWN + 4, KNOWN = HANDS + MOST_PLAYERS, TOKENS = KNOWN + MOST_PLAYERS,
       FACE_UP = TOKENS + MOST_PLAYERS, LOG = FACE_UP + 3, SIZE = LOG + 21 };
enum { STARTING, DEALING, DRAWING, PLAYING, CHOOSING, ENDED };
enum { FOR_TURN, FOR_CHANCELLOR, FOR_HAND };
enum { NONE = -1, PLAYED = 64, NOBODY = 60, CHOICE = CARDS * PLAYED, SINGLE = CHOICE + 1000,
       LOG_CARD = 8, LOG_HOW = 128, GUESSES = 9 };
enum { AIMED = 1 << GUARD | 1 << PRIEST | 1 << BARON | 1 << KING, FORCING = 1 << PRINCE | 1 << KING };

static const cell COPIES[2][CARDS] = {{2, 6, 2, 2, 2, 2, 2, 1, 1, 1}, {0, 5, 2, 2, 2, 2, 0, 1, 1, 1}};

typedef struct {
    i64 players, tokens, classic;
} rules;

/* Random numbers. */

INLINE u64 bits(u64 *restrict rng) {
    u64 first = rng[0], second = rng[1], result = first + second;
    second ^= first;
    rng[0] = (first << 24 | first >> 40) ^ second ^ second << 16;
    rng[1] = second << 37 | second >> 27;
    return result;
}

INLINE i64 below(u64 *restrict rng, i64 bound) { return (bits(rng) >> 32) * (u64)bound >> 32; }

/* The cards. */

INLINE void lay_out(const rules *restrict game, cell *restrict state) {
    memset(state + RANDOM, 0, (ROUND - RANDOM) * sizeof *state);
    memset(state + BOTTOM, 0, (TOKENS - BOTTOM) * sizeof *state);
    memset(state + FACE_UP, 0, (SIZE - FACE_UP) * sizeof *state);
    memcpy(state + POOL, COPIES[game->classic], sizeof COPIES[0]);
    state[RANDOM] = (game->classic ? 16 : 21) - 1;
    state[DUE] = game->players + (game->players == 2 ? 3 : 0);
    state[ALIVE] = (1 << game->players) - 1;
    for (i64 player = 0; player < MOST_PLAYERS; player++) state[HANDS + player] = NONE;
    for (i64 place = 0; place < 3; place++) state[FACE_UP + place] = NONE;
    state[SECOND] = state[THIRD] = NONE;
}

INLINE i64 from_bottom(const cell *restrict state) {
    return state[RANDOM] == 0 && state[BOTTOM_COUNT] > 0;
}

INLINE i64 draw(const rules *restrict game, const cell *restrict state, u64 *restrict rng) {
    if (state[PHASE] == STARTING) {
        u64 starters = state[ROUND] ? (u64)state[WINNERS] : (1ULL << game->players) - 1;
        for (i64 rank = below(rng, __builtin_popcountll(starters)); rank > 0; rank--)
            starters &= starters - 1;
        return __builtin_ctzll(starters);
    }
    if (from_bottom(state)) return state[BOTTOM];
    i64 rank = below(rng, state[RANDOM] + 1 - state[ASIDE_GONE]), card = 0;
    while ((rank -= state[POOL + card]) >= 0) card++;
    return card;
}

INLINE void deal(const rules *restrict game, cell *restrict state, i64 card) {
    state[POOL + card]--;
    state[RANDOM]--;
    i64 due = --state[DUE];
    if (due >= game->players) {
        state[FACE_UP + game->players + 2 - due] = card;
    } else {
        i64 player = game->players - 1 - due;
        state[HANDS + player] = card;
        state[KNOWN + player] = 1 << player;
    }
    if (due == 0) {
        state[PHASE] = DRAWING;
        state[REASON] = FOR_TURN;
        state[DUE] = 1;
    }
}

INLINE void take(cell *restrict state, i64 card) {
    i64 known = 0;
    if (from_bottom(state)) {
        known = state[BOTTOM_KNOWN];
        i64 count = --state[BOTTOM_COUNT];
        for (i64 place = 0; place < count; place++) {
            state[BOTTOM + place] = state[BOTTOM + place + 1];
            state[BOTTOM_KNOWN + place] = state[BOTTOM_KNOWN + place + 1];
        }
        state[BOTTOM + count] = state[BOTTOM_KNOWN + count] = 0;
    } else {
        state[POOL + card]--;
        if (state[RANDOM] > 0) state[RANDOM]--;
        else state[ASIDE_GONE] = 1;
    }
    state[DUE]--;
    if (state[REASON] == FOR_HAND) {
        state[HANDS + state[RECEIVER]] = card;
        state[KNOWN + state[RECEIVER]] = known | 1 << state[RECEIVER];
    } else if (state[SECOND] == NONE) {
        state[SECOND] = card;
        if (state[REASON] == FOR_TURN) state[SECOND_KNOWN] = known | 1 << state[CURRENT];
    } else {
        state[THIRD] = card;
    }
}

/* Choices. */

INLINE i64 ways(i64 card, i64 number) {
    if (card == GUARD) return number ? GUESSES * number : 1;
    if (card == PRINCE) return number + 1;
    return (1 << card & AIMED) && number ? number : 1;
}

INLINE i64 choices(const cell *restrict state, i64 *restrict out) {
    i64 low = state[HANDS + state[CURRENT]], middle = state[SECOND], high = state[THIRD], swap;
    if (low > middle) swap = low, low = middle, middle = swap;
    if (middle > high) swap = middle, middle = high, high = swap;
    if (low > middle) swap = low, low = middle, middle = swap;
    i64 count = 0;
    if (low == NONE) {
        out[count++] = SINGLE + middle * 10 + high;
        if (middle != high) out[count++] = SINGLE + high * 10 + middle;
        return count;
    }
    out[count++] = CHOICE + low * 100 + middle * 10 + high;
    if (middle != high) out[count++] = CHOICE + low * 100 + high * 10 + middle;
    if (low != middle) {
        out[count++] = CHOICE + middle * 100 + low * 10 + high;
        out[count++] = CHOICE + middle * 100 + high * 10 + low;
    }
    if (middle != high) {
        out[count++] = CHOICE + high * 100 + low * 10 + middle;
        if (low != middle) out[count++] = CHOICE + high * 100 + middle * 10 + low;
    }
    return count;
}

INLINE i64 pick(const cell *restrict state, u64 *restrict rng) {
    if (state[PHASE] == CHOOSING) {
        i64 out[6];
        return out[below(rng, choices(state, out))];
    }
    i64 player = state[CURRENT], low = state[HANDS + player], high = state[SECOND];
    if (low > high) {
        i64 swap = low;
        low = high;
        high = swap;
    }
    if (high == COUNTESS && 1 << low & FORCING) low = COUNTESS;
    u64 others = state[ALIVE] & ~state[PROTECTED] & ~(1 << player);
    i64 number = __builtin_popcountll(others);
    i64 first = ways(low, number), card = low;
    i64 rank = below(rng, first + (high != low ? ways(high, number) : 0));
    if (rank >= first) {
        rank -= first;
        card = high;
    }
    i64 guess = 0;
    if (card == PRINCE) {
        others |= 1 << player;
    } else if (number == 0 || !(1 << card & AIMED)) {
        return card * PLAYED + NOBODY;
    } else if (card == GUARD) {
        guess = (u64)rank % GUESSES;
        guess += guess >= GUARD;
        rank = (u64)rank / GUESSES;
    }
    for (; rank > 0; rank--) others &= others - 1;
    return card * PLAYED + __builtin_ctzll(others) * 10 + guess;
}

/* The rules. */

INLINE void note(cell *restrict state, i64 entry) { state[LOG + state[LOGGED]++] = entry; }

INLINE void put_out(cell *restrict state, i64 player) {
    note(state, player + LOG_CARD * state[HANDS + player]);
    state[HANDS + player] = NONE;
    state[KNOWN + player] = 0;
    state[ALIVE] &= ~(1 << player);
    state[SPIES] &= ~(1 << player);
}

INLINE void play_card(cell *restrict state, i64 action) {
    i64 player = state[CURRENT], bit = 1 << player;
    i64 card = action / PLAYED, how = action % PLAYED;
    i64 held = state[HANDS + player], drawn = state[SECOND];
    i64 known = state[KNOWN + player], drawn_known = state[SECOND_KNOWN];
    if (held == card) {
        state[HANDS + player] = drawn;
        known = drawn == card ? known & drawn_known : drawn_known;
    }
    state[KNOWN + player] = known;
    state[SECOND] = NONE;
    state[SECOND_KNOWN] = 0;
    note(state, player + LOG_CARD * card + LOG_HOW * (1 + how));
    state[REASON] = FOR_HAND;
    state[PHASE] = DRAWING;
    i64 target = how / 10, guess = how % 10, loser = NONE;
    switch (card) {
    case SPY:
        state[SPIES] |= bit;
        return;
    case HANDMAID:
        state[PROTECTED] |= bit;
        return;
    case CHANCELLOR: {
        i64 cards = state[RANDOM] + state[BOTTOM_COUNT];
        if (cards > 0) {
            state[REASON] = FOR_CHANCELLOR;
            state[DUE] = cards < 2 ? cards : 2;
            state[KNOWN + player] = bit;
        }
        return;
    }
    case COUNTESS:
        return;
    case PRINCESS:
        put_out(state, player);
        return;
    }
    if (how >= NOBODY) return;
    i64 mine = state[HANDS + player], his = state[HANDS + target];
    switch (card) {
    case GUARD:
        if (his == guess) loser = target;
        break;
    case PRIEST:
        state[KNOWN + target] |= bit;
        break;
    case BARON:
        if (mine == his) {
            state[KNOWN + target] |= bit;
            state[KNOWN + player] |= 1 << target;
        } else {
            loser = his < mine ? target : player;
        }
        break;
    case PRINCE:
        if (his == PRINCESS) {
            loser = target;
        } else {
            note(state, target + LOG_CARD * his);
            if (his == SPY) state[SPIES] |= 1 << target;
            state[HANDS + target] = NONE;
            state[KNOWN + target] = 0;
            state[RECEIVER] = target;
            state[DUE] = 1;
        }
        break;
    default:
        known = state[KNOWN + player] | 1 << target;
        state[HANDS + player] = his;
        state[HANDS + target] = mine;
        state[KNOWN + player] = state[KNOWN + target] | bit;
        state[KNOWN + target] = known;
    }
    if (loser != NONE) put_out(state, loser);
}

INLINE void choose(cell *restrict state, i64 action) {
    i64 player = state[CURRENT], place = state[BOTTOM_COUNT], keep, first;
    if (action >= SINGLE) {
        keep = (action - SINGLE) / 10;
        first = (action - SINGLE) % 10;
    } else {
        keep = (action - CHOICE) / 100;
        first = (action - CHOICE) / 10 % 10;
        state[BOTTOM + place + 1] = (action - CHOICE) % 10;
        state[BOTTOM_KNOWN + place + 1] = 1 << player;
        state[BOTTOM_COUNT]++;
    }
    state[BOTTOM + place] = first;
    state[BOTTOM_KNOWN + place] = 1 << player;
    state[BOTTOM_COUNT]++;
    state[HANDS + player] = keep;
    state[KNOWN + player] = 1 << player;
    state[SECOND] = state[THIRD] = NONE;
    state[REASON] = FOR_HAND;
    state[PHASE] = DRAWING;
}

INLINE void end_round(const rules *restrict game, cell *restrict state) {
    i64 alive = state[ALIVE], winners = alive, players = game->players;
    if (alive & (alive - 1)) {
        i64 best = 0;
        for (i64 player = 0; player < players; player++)
            if (state[HANDS + player] > best) best = state[HANDS + player];
        winners = 0;
        for (i64 player = 0; player < players; player++) {
            if (state[HANDS + player] == best) winners |= 1 << player;
            if (alive >> player & 1) state[KNOWN + player] = (1 << players) - 1;
        }
    }
    state[WINNERS] = winners;
    i64 spies = state[SPIES], one_spy = spies > 0 && (spies & (spies - 1)) == 0;
    i64 over = game->tokens == 1;
    for (i64 player = 0; player < players; player++) {
        i64 bonus = one_spy && spies >> player == 1;
        if (bonus) state[BONUS] = player + 1;
        state[TOKENS + player] += (winners >> player & 1) + bonus;
        over |= state[TOKENS + player] >= game->tokens;
    }
    state[PHASE] = over ? ENDED : STARTING;
}

INLINE void go_on(const rules *restrict game, cell *restrict state) {
    if (state[REASON] == FOR_TURN) {
        state[PHASE] = PLAYING;
        return;
    }
    if (state[REASON] == FOR_CHANCELLOR) {
        state[PHASE] = CHOOSING;
        return;
    }
    i64 alive = state[ALIVE];
    if ((alive & (alive - 1)) == 0 || state[RANDOM] + state[BOTTOM_COUNT] == 0) {
        end_round(game, state);
        return;
    }
    i64 player = state[CURRENT];
    do {
        if (++player == game->players) player = 0;
    } while (!(alive >> player & 1));
    state[CURRENT] = player;
    state[PROTECTED] &= ~(1 << player);
    state[REASON] = FOR_TURN;
    state[DUE] = 1;
}

i64 playouts(const rules *restrict given, const cell *restrict root, i64 count,
             u64 *restrict generator, double *restrict total) {
    const rules local = *given, *game = &local;
    u64 rng[2] = {generator[0], generator[1]};
    cell state[SIZE];
    i64 plies = 0, players = game->players, others = players - 1;
    for (i64 player = 0; player < players; player++) total[player] = 0;
    for (i64 one = 0; one < count; one++) {
        memcpy(state, root, sizeof state);
        while (state[PHASE] != ENDED) {
            switch (state[PHASE]) {
            case PLAYING:
                play_card(state, pick(state, rng));
                break;
            case CHOOSING:
                choose(state, pick(state, rng));
                break;
            case DRAWING:
                take(state, draw(game, state, rng));
                break;
            case DEALING:
                deal(game, state, draw(game, state, rng));
                break;
            default: {
                i64 starter = draw(game, state, rng);
                if (state[ROUND] > 0) lay_out(game, state);
                state[CURRENT] = starter;
                state[ROUND]++;
                state[PHASE] = DEALING;
            }
            }
            if (state[PHASE] == DRAWING && state[DUE] == 0) go_on(game, state);
            plies++;
        }
        i64 won = 0, winners = 0;
        for (i64 player = 0; player < players; player++) {
            i64 best = game->tokens > 1 ? state[TOKENS + player] >= game->tokens
                                        : state[WINNERS] >> player & 1;
            won |= best << player;
            winners += best;
        }
        double share = (double)(players - winners) / (winners * others);
        for (i64 player = 0; player < players; player++)
            total[player] += won >> player & 1 ? share : -1.0 / others;
    }
    generator[0] = rng[0];
    generator[1] = rng[1];
    return plies;
}
