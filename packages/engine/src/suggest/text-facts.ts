import { normalizeText } from '../expression/functions/normalize';
import { wordsOf } from '../expression/functions/word-cosine';
import type { Sides } from './anchors';
import { isName, isTitle, type TextFacts } from './comparisons';
import { rounded } from './expressions';
import { countEach, frequentFirst, spread, textAt } from './fields';
import { findSlots } from './slots';
import type { FieldPair } from './types';

const maxWeights = 600;
/** Texts that have to hold a word, so that it gets a weight. */
const minWeighted = 3;
const maxFrequent = 30;
const minFrequentShare = 0.005;
const sampledRecords = 20_000;
/** Codes at the end of this share of short texts are no part of a name. */
const minCodeShare = 0.02;
/** Words of one letter in this share of names are initials. */
const minInitialShare = 0.05;

/** Learns what comparing a pair of texts has to know. */
export function textFacts(sides: Sides, pair: FieldPair): TextFacts {
  const none: TextFacts = { slots: [], hasCodes: false, hasInitials: false, frequent: [], wordWeights: '' };
  if (pair.kind !== 'text' && pair.kind !== 'code') return none;
  const texts = (['left', 'right'] as const).flatMap((side) =>
    spread(sides[side], sampledRecords)
      .map((record) => textAt(record, pair[side].path))
      .filter((text) => text !== ''),
  );
  if (isTitle(pair)) return { ...none, wordWeights: wordWeights(texts) };
  if (isName(pair)) {
    const codes = texts.filter((text) => /\s\S*\d\S*$/u.test(text)).length;
    const initials = texts.filter((text) => /(?<!\S)\p{L}\.?(?!\S)/u.test(text)).length;
    return {
      ...none,
      slots: findSlots(texts),
      hasCodes: codes >= minCodeShare * texts.length,
      hasInitials: initials >= minInitialShare * texts.length,
    };
  }
  return { ...none, frequent: frequentValues(texts) };
}

/** Writes the weights of frequent words, by the logarithm of how rare they are; those of rare words are 1. */
function wordWeights(texts: readonly string[]): string {
  const counts = countEach(texts.flatMap((text) => [...wordsOf(text)]));
  const max = Math.log(texts.length / 2);
  const weightOf = (word: string): number => Math.log(texts.length / (counts.get(word) as number)) / max;
  return frequentFirst(counts, minWeighted)
    .slice(0, maxWeights)
    .map((word) => `${word}=${rounded(Math.max(0, Math.min(1, weightOf(word))), 2)}`)
    .join(' ');
}

function frequentValues(texts: readonly string[]): string[] {
  const counts = countEach(texts.map(normalizeText));
  const frequent = frequentFirst(counts, minFrequentShare * texts.length).slice(0, maxFrequent);
  return frequent.length === counts.size ? [] : frequent;
}
