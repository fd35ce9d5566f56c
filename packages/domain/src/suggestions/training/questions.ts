import { createHash } from 'node:crypto';
import { chooseQuestions, effectiveParams, scoreScale, type JsonObject, type Stratum } from '@tieout/engine';
import type { TenantScope } from '../../kernel/scope';
import { columnsOf } from './columns';
import {
  countLabels,
  findLiveResults,
  isOneSide,
  keptRecords,
  minLabels,
  readKept,
  type KeptPair,
  type LabelCounts,
  type LiveResults,
} from './kept';

/** A pair whose review teaches much, with the pairs of scores near its own. */
export interface Question {
  pair: KeptPair;
  /** On the scale of the rule set. */
  stratum: Stratum;
  /** The records as expressions see them; null once they are gone. */
  left: JsonObject | null;
  right: JsonObject | null;
}

export interface Questions {
  items: Question[];
  /** Says why no question can be asked yet. */
  reason: string | null;
  labels: LabelCounts;
  /** Reviewed pairs that training needs, unless there are no more questions. */
  needed: { labels: number };
}

/**
 * Lists pairs without a review that together teach training most. The same records and reviews give the same pairs.
 * @throws AppError rule_set_not_found
 */
export async function listQuestions(scope: TenantScope, ruleSetId: string, limit: number): Promise<Questions> {
  const live = await findLiveResults(scope, ruleSetId);
  const labels = await countLabels(scope, ruleSetId);
  const needed = { labels: minLabels };
  if ('reason' in live) return { items: [], reason: live.reason, labels, needed };
  const scale = scoreScale(live.definition.params.Tmatch);
  const chosen = questionsOf(live, await readKept(scope, live), limit);
  const records = await keptRecords(
    scope,
    chosen.map(({ pair }) => pair),
  );
  return {
    items: chosen.map(({ pair, stratum: { from, to, ...counts } }) => ({
      pair,
      stratum: { from: from * scale, to: to * scale, ...counts },
      left: records.get(pair.leftId) ?? null,
      right: records.get(pair.rightId) ?? null,
    })),
    reason: null,
    labels,
    needed,
  };
}

/** Chooses questions among the pairs that a job kept. Scores of strata are from 0 to 1. */
export function questionsOf(
  live: LiveResults,
  kept: readonly KeptPair[],
  limit: number,
): Pick<Question, 'pair' | 'stratum'>[] {
  const { definition } = live;
  const scale = scoreScale(definition.params.Tmatch);
  // Ids are given out in the order of arrival: a hash of them makes the first pairs like all others.
  const shuffled = kept
    .map((pair) => ({ pair, place: placeOf(pair) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ pair }) => pair);
  return chooseQuestions({
    pairs: columnsOf(
      shuffled.map((pair) => ({ ...pair, values: [pair.score / scale] })),
      isOneSide(live),
    ),
    match: definition.params.Tmatch / scale,
    kinds: shuffled.map(({ values }) => JSON.stringify(values)),
    isOneToOne: effectiveParams(definition).assignment === 'one_to_one',
    limit,
  }).map(({ pair, stratum }) => ({ pair: shuffled[pair] as KeptPair, stratum }));
}

const placeOf = ({ leftId, rightId }: KeptPair): string =>
  createHash('sha256').update(`${leftId} ${rightId}`).digest('hex');
