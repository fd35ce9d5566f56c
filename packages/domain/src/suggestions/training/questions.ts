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
  minOfKind,
  readKept,
  type KeptPair,
  type LabelCounts,
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
  /** Least numbers of reviewed pairs that training needs. */
  needed: { labels: number; ofEachKind: number };
}

/**
 * Lists pairs without a review that together teach training most. The same records and reviews give the same pairs.
 * @throws AppError rule_set_not_found
 */
export async function listQuestions(scope: TenantScope, ruleSetId: string, limit: number): Promise<Questions> {
  const live = await findLiveResults(scope, ruleSetId);
  const labels = await countLabels(scope, ruleSetId);
  const needed = { labels: minLabels, ofEachKind: minOfKind };
  if ('reason' in live) return { items: [], reason: live.reason, labels, needed };
  const scale = scoreScale(live.definition.params.Tmatch);
  // Ids are given out in the order of arrival: a hash of them makes the first pairs like all others.
  const kept = (await readKept(scope, live))
    .map((pair) => ({ ...pair, values: [pair.score / scale], place: placeOf(pair) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const chosen = chooseQuestions({
    pairs: columnsOf(kept, isOneSide(live)),
    isOneToOne: effectiveParams(live.definition).assignment === 'one_to_one',
    limit,
  }).map(({ pair, stratum }) => ({ pair: kept[pair] as (typeof kept)[number], stratum }));
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

const placeOf = ({ leftId, rightId }: KeptPair): string =>
  createHash('sha256').update(`${leftId} ${rightId}`).digest('hex');
