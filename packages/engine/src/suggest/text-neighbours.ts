import { wordCodes } from '../blocking/words';
import { WordEntries } from '../candidates/rule-entries';
import type { TextSide } from '../candidates/text-index';
import { TextNeighbours } from '../candidates/text-neighbours';
import { defaultDocumentShare } from '../definition/keys';
import { runToEnd } from '../values/steps';
import type { Side } from '../values/types';

/**
 * Visits each pair of which one record is among the `top` most similar ones of the other, as blocking finds them. Pairs
 * may be visited twice. Among equals, records that come first are taken.
 */
export function eachNeighbour(
  texts: Record<Side, readonly string[]>,
  top: number,
  visit: (left: number, right: number) => void,
  onStep: () => void,
): void {
  const steps = TextNeighbours.find({
    rule: { top, maxDocumentShare: defaultDocumentShare },
    words: { left: wordsOf(texts.left), right: wordsOf(texts.right) },
    columns: { left: inOrder(texts.left), right: inOrder(texts.right) },
    same: undefined,
  });
  const found = runToEnd(steps, onStep);
  for (let left = 0; left < texts.left.length; left++) found.visit(left, (right) => visit(left, right));
}

function wordsOf(texts: readonly string[]): WordEntries {
  const words = new WordEntries();
  texts.forEach((text, record) => words.add(record, wordCodes([text])));
  return words;
}

/** Returns records that all take part, and that come in their order. */
const inOrder = ({ length }: readonly string[]): TextSide => ({
  length,
  state: new Uint8Array(length),
  compare: (one, other) => one - other,
});
