/* Paradise playouts in C: what the kernels of joute are measured against.

   The layout of states, the random stream and the order of choices are those of
   src/joute/games/paradise*.py, so that both sides do the same work and their results must agree
   exactly. Within that, this is C as fast as we can write it. */

#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef int16_t cell;

#define INLINE static inline __attribute__((always_inline))

enum { MINION, SHOT, HOUNDS, AIMED };
enum { COBRA = 1, DEADLY_SHOT = 2, RHINO = 5, WOLF = 7, FIREBALL = 9, HYENA = 11, KILL_COMMAND = 12,
       UNLEASH = 13, HIGHMANE = 14, ALPHA = 15, CUB = 16, HOUND = 17, CARDS = 16 };
enum { CHOOSING, SHOOTING, DRAWING, DEALING, ENDED };
enum { PHASE, PLAYER, TURN, DEAD, LEFT, ACTED, BLOCKS = 8 };
enum { HERO, MANA, MAX_MANA, FATIGUE, POWER_USED, HAND_SIZE, DECK_SIZE, BOARD_SIZE, HAND,
       DECK = HAND + 10, DESTROYED = DECK + CARDS, BOARD = DESTROYED + CARDS };
enum { KEPT, BASE, LIFE, MAX_LIFE, TURNS, USED, FIELDS };
enum { MOST_BOARD = 7, BLOCK = BOARD + FIELDS * MOST_BOARD, SIZE = BLOCKS + 2 * BLOCK };
enum { END, POWER, PLAY, AIM = PLAY + 10, AIMS = 9, OWN = 8, STRIKE = AIM + AIMS * 10, TARGETS = 8,
       VICTIM = CARDS };

static const i64 COST[] = {1, 3, 3, 1, 1, 5, 4, 1, 2, 4, 10, 2, 3, 3, 6, 2, 2, 1};
static const i64 ATTACK[] = {1, 2, 0, 0, 1, 2, 2, 1, 3, 0, 7, 2, 0, 0, 6, 2, 2, 1};
static const i64 HEALTH[] = {3, 3, 0, 0, 1, 5, 7, 1, 2, 0, 14, 2, 0, 0, 5, 2, 2, 1};
static const i64 KIND[] = {0, 0, SHOT, AIMED, 0, 0, 0, 0, 0, AIMED, 0, 0, AIMED, HOUNDS, 0, 0, 0, 0};

/* Random numbers, and sets of bits. */

INLINE u64 bits(u64 *restrict rng) {
    u64 first = rng[0], second = rng[1], result = first + second;
    second ^= first;
    rng[0] = (first << 24 | first >> 40) ^ second ^ second << 16;
    rng[1] = second << 37 | second >> 27;
    return result;
}

INLINE i64 below(u64 *restrict rng, i64 bound) { return (bits(rng) >> 32) * (u64)bound >> 32; }

INLINE i64 kth(u64 word, i64 rank) {
    for (; rank > 0; rank--) word &= word - 1;
    return __builtin_ctzll(word);
}

/* The game. */

INLINE cell *minion(cell *own, i64 number) { return own + BOARD + FIELDS * number; }

INLINE i64 attack(cell *own, i64 number) {
    i64 found = minion(own, number)[BASE];
    for (i64 other = 0; other < own[BOARD_SIZE]; other++) {
        i64 card = minion(own, other)[KEPT];
        found += (card == WOLF && other != number) ||
                 (card == ALPHA && (other == number - 1 || other == number + 1));
    }
    return found;
}

INLINE void summon(cell *own, i64 card) {
    i64 size = own[BOARD_SIZE];
    if (size == MOST_BOARD) return;
    cell *place = minion(own, size);
    place[KEPT] = card;
    place[BASE] = ATTACK[card];
    place[LIFE] = place[MAX_LIFE] = HEALTH[card];
    own[BOARD_SIZE] = size + 1;
}

INLINE i64 pick(cell *state, i64 quirks, u64 *restrict rng) {
    cell *own = state + BLOCKS + BLOCK * state[PLAYER];
    cell *other = state + BLOCKS + BLOCK * (1 - state[PLAYER]);
    i64 mana = own[MANA], size = own[BOARD_SIZE], enemies = other[BOARD_SIZE];
    i64 room = size < MOST_BOARD, prey = enemies > 0;
    i64 allowed = room | prey << 1 | (room & prey) << 2 | 1 << AIMED;
    u64 cards = 0, spells = 0, ready = 0;
    for (i64 place = 0; place < own[HAND_SIZE]; place++) {
        i64 card = own[HAND + place], kind = KIND[card];
        u64 playable = (COST[card] <= mana) & allowed >> kind & 1, aimed = kind == AIMED;
        cards |= (playable & !aimed) << place;
        spells |= (playable & aimed) << place;
    }
    i64 charge = 0;
    for (i64 number = 0; number < size; number++) charge |= minion(own, number)[KEPT] == RHINO;
    for (i64 number = 0; number < size; number++) {
        cell *place = minion(own, number);
        u64 awake = (place[TURNS] > 0) | charge | (place[KEPT] == HOUND);
        ready |= (awake & (place[USED] == 0)) << number;
    }
    i64 simple = 1 + (mana >= 2 && own[POWER_USED] == 0);
    i64 played = simple + __builtin_popcountll(cards), width = enemies + 1 + quirks;
    i64 aimed = played + __builtin_popcountll(spells) * width;
    i64 count = aimed + __builtin_popcountll(ready) * (enemies + 1);
    i64 rank = count > 1 ? below(rng, count) : 0;
    if (rank < simple) return rank;
    if (rank < played) return PLAY + kth(cards, rank - simple);
    if (rank < aimed) {
        i64 target = (rank - played) % width;
        return AIM + AIMS * kth(spells, (rank - played) / width) + (target > enemies ? OWN : target);
    }
    return STRIKE + TARGETS * kth(ready, (rank - aimed) / (enemies + 1)) +
           (rank - aimed) % (enemies + 1);
}

INLINE i64 pay(cell *own, i64 place) {
    i64 card = own[HAND + place], last = own[HAND_SIZE] - 1;
    own[MANA] -= COST[card];
    own[HAND_SIZE] = last;
    for (i64 number = place; number < last; number++) own[HAND + number] = own[HAND + number + 1];
    own[HAND + last] = 0;
    return card;
}

INLINE void hurt(cell *place, i64 damage, i64 poison) {
    i64 left = place[LIFE] - damage;
    place[LIFE] = poison && left > 0 ? 0 : left;
}

INLINE void bury(cell *own) {
    i64 size = own[BOARD_SIZE], left = 0, highmanes = 0;
    for (i64 number = 0; number < size; number++) {
        cell *place = minion(own, number);
        if (place[LIFE] <= 0) {
            highmanes += place[KEPT] == HIGHMANE;
            continue;
        }
        if (left < number) memcpy(minion(own, left), place, FIELDS * sizeof *place);
        left++;
    }
    i64 dead = size - left;
    if (dead == 0) return;
    memset(minion(own, left), 0, dead * FIELDS * sizeof *own);
    own[BOARD_SIZE] = left;
    for (i64 number = 0; number < left; number++) {
        cell *place = minion(own, number);
        if (place[KEPT] == HYENA) {
            place[BASE] += 2 * dead;
            place[LIFE] += dead;
            place[MAX_LIFE] += dead;
        }
    }
    for (i64 one = 0; one < 2 * highmanes; one++) summon(own, CUB);
}

INLINE i64 act(cell *state, i64 action) { /* whether minions were hurt */
    cell *own = state + BLOCKS + BLOCK * state[PLAYER];
    cell *other = state + BLOCKS + BLOCK * (1 - state[PLAYER]);
    state[ACTED]++;
    if (action >= STRIKE) {
        i64 number = (action - STRIKE) / TARGETS, target = (action - STRIKE) % TARGETS;
        cell *mine = minion(own, number);
        i64 given = attack(own, number);
        mine[USED] = 1;
        if (target == 0) {
            other[HERO] -= given;
            return 0;
        }
        cell *his = minion(other, target - 1);
        i64 taken = attack(other, target - 1);
        hurt(his, given, mine[KEPT] == COBRA);
        hurt(mine, taken, his[KEPT] == COBRA);
        return 1;
    }
    if (action == POWER) {
        own[MANA] -= 2;
        own[POWER_USED] = 1;
        other[HERO] -= 2;
    }
    if (action < PLAY) return 0;
    if (action >= AIM) {
        i64 card = pay(own, (action - AIM) / AIMS), target = (action - AIM) % AIMS;
        i64 damage = card == FIREBALL ? 6 : card != KILL_COMMAND ? 2 : own[BOARD_SIZE] > 0 ? 5 : 3;
        if (target == OWN) own[HERO] -= damage;
        else if (target == 0) other[HERO] -= damage;
        else minion(other, target - 1)[LIFE] -= damage;
        return target > 0 && target < OWN;
    }
    i64 card = pay(own, action - PLAY);
    if (card == DEADLY_SHOT) {
        state[PHASE] = SHOOTING;
        return 0;
    }
    i64 times = card == UNLEASH ? other[BOARD_SIZE] : 1;
    for (; times > 0; times--) summon(own, card == UNLEASH ? HOUND : card);
    return 0;
}

INLINE void judge(cell *state) {
    state[DEAD] = (state[BLOCKS + HERO] <= 0) | (state[BLOCKS + BLOCK + HERO] <= 0) << 1;
}

INLINE void begin(cell *state, i64 player) {
    cell *own = state + BLOCKS + BLOCK * player;
    state[PLAYER] = player;
    state[TURN]++;
    state[ACTED] = 0;
    if (own[MAX_MANA] < 10) own[MAX_MANA]++;
    own[MANA] = own[MAX_MANA];
    own[POWER_USED] = 0;
    for (cell *side = state + BLOCKS; side < state + SIZE; side += BLOCK)
        for (i64 number = 0; number < side[BOARD_SIZE]; number++) {
            minion(side, number)[TURNS]++;
            minion(side, number)[USED] = 0;
        }
    state[PHASE] = DRAWING;
    if (own[DECK_SIZE] == 0) {
        own[HERO] -= ++own[FATIGUE];
        judge(state);
        state[PHASE] = state[DEAD] ? ENDED : CHOOSING;
    }
}

INLINE void take(cell *own, u64 *restrict rng) {
    i64 rest = below(rng, own[DECK_SIZE]) - own[DECK], card = 0;
    while (rest >= 0) rest -= own[DECK + ++card];
    own[DECK + card]--;
    own[DECK_SIZE]--;
    if (own[HAND_SIZE] < 10) own[HAND + own[HAND_SIZE]++] = card;
    else own[DESTROYED + card]++;
}

INLINE void ply(cell *state, i64 quirks, u64 *restrict rng) {
    i64 struck = 0, beginner = -1, player = state[PLAYER];
    if (state[PHASE] == CHOOSING) {
        i64 action = pick(state, quirks, rng);
        struck = act(state, action);
        judge(state);
        if (state[DEAD] && !quirks) state[PHASE] = ENDED;
        else if (state[DEAD] || action == END) beginner = 1 - player;
    } else if (state[PHASE] == SHOOTING) {
        cell *other = state + BLOCKS + BLOCK * (1 - player);
        minion(other, below(rng, other[BOARD_SIZE]))[LIFE] = 0;
        state[PHASE] = CHOOSING;
        struck = 1;
    } else if (state[PHASE] == DRAWING) {
        take(state + BLOCKS + BLOCK * player, rng);
        state[PHASE] = state[DEAD] ? ENDED : CHOOSING;
    } else {
        take(state + BLOCKS + (state[LEFT] > 4 ? 0 : BLOCK), rng);
        if (--state[LEFT] == 0) beginner = 0;
    }
    if (struck) {
        bury(state + BLOCKS);
        bury(state + BLOCKS + BLOCK);
    }
    if (beginner >= 0) begin(state, beginner);
}

i64 playouts(i64 quirks, const cell *restrict root, i64 count, u64 *restrict generator,
             double *restrict total) {
    u64 rng[2] = {generator[0], generator[1]};
    cell state[SIZE];
    i64 plies = 0, won = 0;
    for (i64 one = 0; one < count; one++) {
        memcpy(state, root, sizeof state);
        while (state[PHASE] != ENDED) {
            ply(state, quirks, rng);
            plies++;
        }
        won += (state[DEAD] == 2) - (state[DEAD] == 1);
    }
    generator[0] = rng[0];
    generator[1] = rng[1];
    total[0] = won;
    total[1] = -won;
    return plies;
}
