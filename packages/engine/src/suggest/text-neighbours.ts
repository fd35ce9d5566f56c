import { rareRecords, wordCodes } from '../blocking/words';
import { defaultDocumentShare } from '../definition/keys';

interface WordLists {
  left: number[][];
  right: number[][];
}

/**
 * Visits each pair of which one record is among the `top` most similar ones of the other, by the cosine of words
 * weighted by rarity. Pairs may be visited twice. Among equals, records that come first are taken.
 */
export function eachNeighbour(
  texts: { left: readonly string[]; right: readonly string[] },
  top: number,
  visit: (left: number, right: number) => void,
  onStep: () => void,
): void {
  const words: WordLists = {
    left: texts.left.map((text) => wordCodes([text])),
    right: texts.right.map((text) => wordCodes([text])),
  };
  const weights = wordWeights(words);
  search(words.left, words.right, { weights, top, onStep, visit });
  search(words.right, words.left, { weights, top, onStep, visit: (right, left) => visit(left, right) });
}

/** Returns the squares of the weights of all words that are compared. */
function wordWeights({ left, right }: WordLists): Map<number, number> {
  const holders = new Map<number, number>();
  let records = 0;
  for (const words of [...left, ...right]) {
    if (words.length > 0) records++;
    for (const word of words) holders.set(word, (holders.get(word) ?? 0) + 1);
  }
  const max = Math.max(rareRecords, defaultDocumentShare * records);
  const weights = new Map<number, number>();
  for (const [word, count] of holders) {
    if (count === 1) weights.set(word, Math.log(records) ** 2);
    else if (count <= max && count < records) weights.set(word, Math.log(records / count) ** 2);
  }
  return weights;
}

interface Search {
  weights: ReadonlyMap<number, number>;
  top: number;
  visit: (own: number, other: number) => void;
  onStep: () => void;
}

function search(owns: readonly number[][], others: readonly number[][], { weights, top, visit, onStep }: Search): void {
  const lengthOf = (words: readonly number[]): number =>
    Math.sqrt(words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0));
  const lengths = Float64Array.from(others, lengthOf);
  const holders = new Map<number, number[]>();
  others.forEach((words, at) => {
    for (const word of words) {
      if (!weights.has(word)) continue;
      const list = holders.get(word);
      if (list === undefined) holders.set(word, [at]);
      else list.push(at);
    }
  });
  const sums = new Float64Array(others.length);
  owns.forEach((words, own) => {
    onStep();
    const touched: number[] = [];
    for (const word of words) {
      const weight = weights.get(word) ?? 0;
      for (const at of holders.get(word) ?? []) {
        if (sums[at] === 0) touched.push(at);
        sums[at]! += weight;
      }
    }
    const score = (at: number): number => (sums[at] as number) / (lengths[at] as number);
    for (const at of bestOf(touched, top, score)) visit(own, at);
    for (const at of touched) sums[at] = 0;
  });
}

/** Returns the items with the highest scores, without sorting them all. */
function bestOf(items: readonly number[], top: number, score: (item: number) => number): number[] {
  const best: number[] = [];
  const scores: number[] = [];
  for (const item of items) {
    const own = score(item);
    if (best.length === top && own <= (scores[top - 1] as number)) continue;
    let place = best.length < top ? best.length : top - 1;
    for (; place > 0 && (scores[place - 1] as number) < own; place--) {
      best[place] = best[place - 1] as number;
      scores[place] = scores[place - 1] as number;
    }
    best[place] = item;
    scores[place] = own;
  }
  return best;
}
