// The legal actions of Paradise, by what does them: cards of the hand, minions, the power, the end.

const POWER = 1;
const PLAY = 2;
const AIM = 12;
const AIMS = 9;  // targets of a spell: the hero, seven minions, one's own hero
const STRIKE = 102;
const TARGETS = 8;
const SHOWN = 158;  // from here on, cards of another's hand: 10 x card + target
export const OWN = 8;  // the target that is one's own hero

// The parts of an action: {kind, at, target}; kinds are "end", "power", "card", "minion" and, of another
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

// The legal actions of the player to move, and what is chosen of one so far.
export class Choice {
  constructor() {
    this.put(null);
  }

  // Something else is asked, or nothing.
  put(question) {
    this.options = (question?.actions ?? []).map(([action]) => ({action, ...read(action)}));
    this.asked = Boolean(question);
    this.hint = null;
    this.clear();
  }

  clear() {
    this.source = null;  // what is to act: {kind, at}
    this.target = null;  // on what
  }

  // The action of a kind, of a source and on a target; undefined where it is not legal.
  find(kind, at = null, target = null) {
    return this.options.find((each) => each.kind === kind && each.at === at && each.target === target)?.action;
  }

  // Whether a source can do anything.
  able({kind, at}) {
    return this.options.some((each) => each.kind === kind && each.at === at);
  }

  // The action of what has been chosen on a target, or on none.
  on(target) {
    return this.source ? this.find(this.source.kind, this.source.at, target) : undefined;
  }

  get action() {
    return this.on(this.target);
  }

  // The targets that the source may choose; a card that needs none has none.
  get targets() {
    const found = this.source ? this.options.filter((each) => this.chosen(each)) : [];
    return found.map(({target}) => target).filter((target) => target !== null);
  }

  // Whether this is the source.
  chosen({kind, at}) {
    return this.source?.kind === kind && this.source.at === at;
  }

  // Whether the hint is to act with this.
  hinted({kind, at}) {
    return this.hint?.kind === kind && this.hint.at === at;
  }

  // Another source; the same one again is put back.
  take(source) {
    this.source = this.chosen(source) ? null : source;
    this.target = null;
  }

  // The next minion that can attack.
  next() {
    const able = this.options.filter(({kind}) => kind === "minion").map(({at}) => at);
    const attackers = [...new Set(able)];
    if (!attackers.length) return;
    const here = this.source?.kind === "minion" ? attackers.indexOf(this.source.at) : -1;
    this.source = {kind: "minion", at: attackers[(here + 1) % attackers.length]};
    this.target = null;
  }

  // The next target, or the one before.
  turn(step) {
    const {targets} = this;
    if (!targets.length) return;
    const here = targets.indexOf(this.target);
    this.target = targets[here < 0 ? 0 : (here + step + targets.length) % targets.length];
  }

  // The classes of a thing on the boards: {side, at} with -1 for a hero.
  marks({side, at}) {
    const number = targetOf({side, at});
    const found = [];
    if (number !== null && this.targets.includes(number)) found.push("legal");
    if (number !== null && number === this.target) found.push("aimed");
    if (number !== null && number === this.hint?.target) found.push("hinted");
    if (side === 0 && at >= 0) {
      const minion = {kind: "minion", at};
      if (this.able(minion)) found.push("ready");
      if (this.chosen(minion)) found.push("chosen");
      if (this.hinted(minion)) found.push("hinted");
    }
    return found.join(" ");
  }
}

// The number of a thing as a target; null for a minion of one's own.
export function targetOf({side, at}) {
  if (side === 0) return at < 0 ? OWN : null;
  return at + 1;
}
