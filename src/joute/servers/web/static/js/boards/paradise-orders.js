// What may be done in Paradise, by what does it: cards of the hand, minions, the power, the end.

const POWER = 1;
const PLAY = 2;
const AIM = 12;
const AIMS = 9;  // targets of a spell: the hero, seven minions, one's own hero
const STRIKE = 102;
const TARGETS = 8;
const SHOWN = 158;  // from here on, cards of another's hand: 10 x card + target
export const OWN = 8;  // the target that is one's own hero

// What an action says: {kind, at, target}; kinds are "end", "power", "card", "minion" and, of another
// player's card, "shown", whose `at` is the card. A target is 0 for the hero, else a minion from 1.
export function read(action) {
  if (action < PLAY) return {kind: action === POWER ? "power" : "end", at: null, target: null};
  if (action < AIM) return {kind: "card", at: action - PLAY, target: null};
  if (action < STRIKE) return {kind: "card", at: Math.floor((action - AIM) / AIMS), target: (action - AIM) % AIMS};
  if (action < SHOWN) {
    return {kind: "minion", at: Math.floor((action - STRIKE) / TARGETS), target: (action - STRIKE) % TARGETS};
  }
  const target = (action - SHOWN) % 10;
  return {kind: "shown", at: Math.floor((action - SHOWN) / 10), target: target > OWN ? null : target};
}

export class Orders {
  constructor(question) {
    this.options = question.actions.map(([action]) => ({action, ...read(action)}));
  }

  // The action of a kind, of a source and on a target; undefined where it is not legal.
  find(kind, at = null, target = null) {
    return this.options.find((each) => each.kind === kind && each.at === at && each.target === target)?.action;
  }

  // The targets that a source may choose; a card that needs none has none.
  targets({kind, at}) {
    return this.options.filter((each) => each.kind === kind && each.at === at && each.target !== null)
      .map(({target}) => target);
  }

  // Whether a source can do anything.
  able({kind, at}) {
    return this.options.some((each) => each.kind === kind && each.at === at);
  }

  // The minions that can attack.
  get attackers() {
    return [...new Set(this.options.filter(({kind}) => kind === "minion").map(({at}) => at))];
  }
}
