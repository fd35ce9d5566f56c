import { batchScore, counted, effectiveParams, scoreScale, type RuleSetDefinition } from '@tieout/engine';
import { AppError } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { firstId } from '../../kernel/sql';
import { getRuleSet, type RuleSet } from '../../rules/rule-sets';
import { byThreshold, oneToOne, qualityOf, type Quality, type ScoredPair, type ThresholdQuality } from './measure';
import { pairKey, readTruth, type Truth } from './truth';

/** Max kept pairs that one evaluation reads into memory. */
const maxPairs = 1_000_000;
const pairsPerRead = 20_000;

export interface EvaluationInput {
  truth: Truth;
  /** Holds where the truth names the pairs of some records only: pairs of other records are not judged. */
  partial: boolean;
}

/** A pair to explain. */
export interface JudgedPair {
  leftId: string;
  rightId: string;
  /** Null for a pair that the job has not kept. */
  matchId: string | null;
  score: number | null;
}

export interface Evaluation {
  ruleSet: RuleSet;
  jobId: string;
  /** The definition that the job ran. */
  definition: RuleSetDefinition;
  truePairs: number;
  pairwise: Quality;
  oneToOne: Quality;
  byDecision: { decision: 'MATCH' | 'POSSIBLE' | 'NO_MATCH'; pairs: number | null; truePairs: number }[];
  byThreshold: ThresholdQuality[];
  withoutMatcher: ({ id: string; name: string } & Quality)[];
  /** Matches that do not belong together, the best first. */
  wrong: JudgedPair[];
  /** Pairs that belong together and are no match: those kept as POSSIBLE first, the best before. */
  missed: JudgedPair[];
  warnings: { code: string; message: string }[];
}

interface LiveEntry {
  jobId: string;
  definition: RuleSetDefinition;
  version: number;
}

interface KeptRow {
  id: string;
  leftId: string;
  rightId: string;
  score: number;
  isMatch: boolean;
  values: (number | null)[] | null;
}

/** Compares the live pairs of a rule set with pairs that are known to belong together. */
export async function evaluateRuleSet(
  scope: TenantScope,
  ruleSetId: string,
  { truth, partial }: EvaluationInput,
): Promise<Evaluation> {
  const ruleSet = await getRuleSet(scope, ruleSetId);
  const live = await liveEntry(scope, ruleSet);
  const { pairs: truePairs, unknown } = await readTruth(scope, ruleSet, truth);
  const open = new Map(truePairs.map((pair) => [pairKey(ruleSet, pair.leftId, pair.rightId), pair]));
  const judged = partial ? new Set(truePairs.flatMap(({ leftId, rightId }) => [leftId, rightId])) : null;
  const { matchers } = effectiveParams(live.definition);
  const isBatch = live.definition.engine === 'jsonata-batch';
  const without = new WithoutMatchers(live.definition);
  const pairs: ScoredPair[] = [];
  const wrong: JudgedPair[] = [];
  const possible: JudgedPair[] = [];
  const numbers = { left: new Map<string, number>(), right: new Map<string, number>() };
  const numberOf = (known: Map<string, number>, id: string): number => {
    const number = known.get(id) ?? known.size;
    known.set(id, number);
    return number;
  };
  const isOneSide = ruleSet.leftDatasetId === ruleSet.rightDatasetId;
  for await (const rows of keptPairs(scope, ruleSet.id, live.jobId)) {
    if (pairs.length + rows.length > maxPairs)
      throw new AppError('conflict', `The job has kept more than ${maxPairs} pairs: evaluate it on smaller datasets`);
    for (const { id, leftId, rightId, score, isMatch, values } of rows) {
      if (judged !== null && !judged.has(leftId) && !judged.has(rightId)) continue;
      const isTrue = open.has(pairKey(ruleSet, leftId, rightId));
      const [left, right] = [
        numberOf(numbers.left, leftId),
        numberOf(isOneSide ? numbers.left : numbers.right, rightId),
      ];
      pairs.push({ left, right, score, isTrue, isMatch });
      if (isBatch && values !== null) without.add(values, isTrue);
      if (isMatch && !isTrue) wrong.push({ leftId, rightId, matchId: id, score });
      if (isMatch) open.delete(pairKey(ruleSet, leftId, rightId));
      else if (isTrue) possible.push({ leftId, rightId, matchId: id, score });
    }
  }
  const all = truePairs.length;
  const count = (isMatch: boolean) => {
    const chosen = pairs.filter((pair) => pair.isMatch === isMatch);
    return { pairs: chosen.length, truePairs: chosen.filter(({ isTrue }) => isTrue).length };
  };
  const [matched, maybe] = [count(true), count(false)];
  pairs.sort((one, other) => other.score - one.score || one.left - other.left || one.right - other.right);
  const isPossible = new Set(possible.map(({ leftId, rightId }) => pairKey(ruleSet, leftId, rightId)));
  const lost = [...open].flatMap(([key, pair]) =>
    isPossible.has(key) ? [] : [{ ...pair, matchId: null, score: null }],
  );
  const { params } = live.definition;
  return {
    ruleSet,
    jobId: live.jobId,
    definition: live.definition,
    truePairs: all,
    pairwise: qualityOf(matched.pairs, matched.truePairs, all),
    oneToOne: oneToOne(pairs, all),
    byDecision: [
      { decision: 'MATCH', ...matched },
      { decision: 'POSSIBLE', ...maybe },
      { decision: 'NO_MATCH', pairs: null, truePairs: all - matched.truePairs - maybe.truePairs },
    ],
    byThreshold: byThreshold(pairs, { scale: scoreScale(params.Tmatch), lowest: params.Tpossible, all }),
    withoutMatcher: isBatch
      ? (matchers ?? []).map(({ id, name }, at) => ({ id, name, ...without.qualityAt(at, all) }))
      : [],
    wrong: wrong.sort(byScore),
    missed: [...possible.sort(byScore), ...lost.sort(byIds)],
    warnings: warningsOf({ ruleSet, live, unknown, all }),
  };
}

const byIds = (one: JudgedPair, other: JudgedPair): number =>
  one.leftId < other.leftId || (one.leftId === other.leftId && one.rightId < other.rightId) ? -1 : 1;
const byScore = (one: JudgedPair, other: JudgedPair): number =>
  (other.score ?? 0) - (one.score ?? 0) || byIds(one, other);

/** Counts what the kept pairs would match if one matcher abstained. */
class WithoutMatchers {
  private readonly pairs: number[];
  private readonly truePairs: number[];
  private readonly weights: number[];

  constructor(private readonly definition: RuleSetDefinition) {
    this.weights = (effectiveParams(definition).matchers ?? []).map(({ weight }) => weight);
    this.pairs = this.weights.map(() => 0);
    this.truePairs = this.weights.map(() => 0);
  }

  add(values: readonly (number | null)[], isTrue: boolean): void {
    const { Tmatch } = this.definition.params;
    for (let at = 0; at < this.weights.length; at++) {
      const score = batchScore(scoreScale(Tmatch), this.weights, values.with(at, null));
      if (score < Tmatch) continue;
      this.pairs[at]!++;
      if (isTrue) this.truePairs[at]!++;
    }
  }

  qualityAt(at: number, all: number): Quality {
    return qualityOf(this.pairs[at] as number, this.truePairs[at] as number, all);
  }
}

/** @throws AppError conflict without results to evaluate */
async function liveEntry({ db, tenantId }: TenantScope, { id }: RuleSet): Promise<LiveEntry> {
  const [live] = await db.query<LiveEntry>(
    `select e.job_id::text as "jobId", e.definition, e.rule_set_version as version
       from rule_sets r join job_rule_sets e on e.job_id = r.live_job_id and e.rule_set_id = r.id
      where r.tenant_id = $1::uuid and r.id = $2::uuid`,
    [tenantId, id],
  );
  if (!live) throw new AppError('conflict', 'The rule set has no completed job to evaluate: start one first');
  return live;
}

/** Reads the live pairs of a rule set; those that people confirmed match, those that they rejected do not count. */
async function* keptPairs({ db, tenantId }: TenantScope, ruleSetId: string, jobId: string): AsyncGenerator<KeptRow[]> {
  for (let after = firstId; ;) {
    const rows: KeptRow[] = await db.query<KeptRow>(
      `select id::text as id, left_record_id::text as "leftId", right_record_id::text as "rightId", score,
              decision = 'MATCH' or review_status is not distinct from 'confirmed' as "isMatch",
              explanation -> 'values' as values
         from matches
        where tenant_id = $1::uuid and rule_set_id = $2::uuid and id > $4::uuid
          and (job_id = $3::uuid or review_status = 'confirmed') and review_status is distinct from 'rejected'
        order by matches.id limit ${pairsPerRead}`,
      [tenantId, ruleSetId, jobId, after],
    );
    yield rows;
    const last = rows.at(-1);
    if (rows.length < pairsPerRead || !last) return;
    after = last.id;
  }
}

interface WarningFacts {
  ruleSet: RuleSet;
  live: LiveEntry;
  unknown: { count: number; first: string | null };
  all: number;
}

function warningsOf({ ruleSet, live, unknown, all }: WarningFacts): { code: string; message: string }[] {
  const warnings: { code: string; message: string }[] = [];
  if (unknown.count > 0) {
    const message =
      `${counted(unknown.count, 'pair')} left out because a record does not exist, such as ${unknown.first}: ` +
      'check that these are external ids of the datasets';
    warnings.push({ code: 'unknown_records', message });
  }
  if (all === 0) warnings.push({ code: 'no_truth', message: 'No pair of existing records is left to compare with' });
  if (live.version !== ruleSet.version) {
    const message = `The results are of version ${live.version}: run a job to evaluate version ${ruleSet.version}`;
    warnings.push({ code: 'rule_set_changed', message });
  }
  return warnings;
}
