import { maxComparedCharacters } from './characters';

/** Only the latest one of longer texts is remembered: they repeat less. */
const maxTextLength = maxComparedCharacters;
/** Both bounds hold, so that long texts take no more memory than short ones. */
const textsPerGeneration = 1 << 15;
const charactersPerGeneration = 1 << 22;
const slotCount = 1 << 16;
/** The number of the left text, that of the right text, the result. */
const slotSize = 3;

/** Number of calls after which a memo is kept or dropped, by the share of calls that it answered. */
const trialCalls = 1 << 13;
const worthwhileHits = trialCalls / 4;
/**
 * Calls that pass by a memo that was not worthwhile, before its next trial: few at first, since a first pass over all
 * texts meets each of them once, and twice as many after each trial that fails again.
 */
const minRestCalls = trialCalls;
const maxRestCalls = 128 * trialCalls;

/** V8 keeps a shorter part of a string as a copy, a longer one as a view that holds the whole string. */
const minViewLength = 13;

/**
 * Remembers results of a function of two texts, in a fixed number of slots that each hold the latest
 * pair that fell on them. What the returned function gives never depends on it.
 */
export function memoisePairs(
  compute: (left: string, right: string) => number,
): (left: string, right: string) => number {
  const trial = new Trial();
  const numbers = new RecentTexts<number>();
  let table: Float64Array | undefined;
  let latestNumber = 0;
  let latestLeft = '';
  let latestLeftNumber = 0;
  // A number identifies one text forever: a forgotten text gets a new number.
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    latestNumber++;
    numbers.add(detached(text), latestNumber);
    return latestNumber;
  };
  return (left, right) => {
    if (!trial.takesPart() || left.length > maxTextLength || right.length > maxTextLength) return compute(left, right);
    // One left record meets many right ones in succession.
    if (left !== latestLeft || latestLeftNumber === 0) {
      latestLeftNumber = numberOf(left);
      latestLeft = left;
    }
    const leftNumber = latestLeftNumber;
    const rightNumber = numberOf(right);
    table ??= new Float64Array(slotCount * slotSize);
    const slot = slotOf(leftNumber, rightNumber) * slotSize;
    if (table[slot] === leftNumber && table[slot + 1] === rightNumber) {
      trial.hit();
      return table[slot + 2] ?? Number.NaN;
    }
    const result = compute(left, right);
    table[slot] = leftNumber;
    table[slot + 1] = rightNumber;
    table[slot + 2] = result;
    return result;
  };
}

/** Memoises a function of one text. A returned object is shared and must not be changed. */
export function memoiseTexts<Result extends string | object>(
  compute: (text: string) => Result,
): (text: string) => Result {
  const trial = new Trial();
  const results = new RecentTexts<Result>();
  const ofLatest = memoiseLatest(compute);
  return (text) => {
    if (text.length > maxTextLength) return ofLatest(text);
    if (!trial.takesPart()) return compute(text);
    const known = results.get(text);
    if (known !== undefined) {
      trial.hit();
      return known;
    }
    const key = detached(text);
    const result = compute(key);
    results.add(key, result);
    return result;
  };
}

/** Remembers the result of the latest text only: one left record meets many right ones in succession. */
export function memoiseLatest<Result>(compute: (text: string) => Result): (text: string) => Result {
  let latest: { text: string; result: Result } | undefined;
  return (text) => {
    if (latest?.text !== text) latest = { text, result: compute(text) };
    return latest.result;
  };
}

/**
 * Values of the latest texts. Drops the older half at once by releasing a map, which costs no walk over its entries. A
 * text that is read again before that moves to the younger half.
 */
class RecentTexts<Value> {
  private younger = new Map<string, Value>();
  private older = new Map<string, Value>();
  private characters = 0;

  get(text: string): Value | undefined {
    const young = this.younger.get(text);
    if (young !== undefined) return young;
    const old = this.older.get(text);
    if (old !== undefined) this.add(detached(text), old);
    return old;
  }

  add(text: string, value: Value): void {
    this.characters += text.length;
    if (this.younger.size === textsPerGeneration || this.characters > charactersPerGeneration) {
      this.older = this.younger;
      this.younger = new Map();
      this.characters = text.length;
    }
    this.younger.set(text, value);
  }
}

/** Lets a memo rest while it costs more than it saves, as with texts that never repeat. */
class Trial {
  private running = true;
  private callsLeft = trialCalls;
  private restCalls = minRestCalls;
  private hits = 0;

  takesPart(): boolean {
    this.callsLeft--;
    if (this.callsLeft === 0) this.judge();
    return this.running;
  }

  hit(): void {
    this.hits++;
  }

  private judge(): void {
    const hasFailed = this.running && this.hits < worthwhileHits;
    this.callsLeft = hasFailed ? this.restCalls : trialCalls;
    if (hasFailed) this.restCalls = Math.min(2 * this.restCalls, maxRestCalls);
    else if (this.running) this.restCalls = minRestCalls;
    this.running = !hasFailed;
    this.hits = 0;
  }
}

function slotOf(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) & (slotCount - 1);
}

/** The same text in one piece, without a hold on a longer one that it was cut from. */
export function detached(text: string): string {
  return text.length < minViewLength ? text : [text.slice(0, 1), text.slice(1)].join('');
}
