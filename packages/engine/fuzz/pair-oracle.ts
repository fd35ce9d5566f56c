import type { CompiledRuleSet } from '../src/rule-set/compile';
import type { RuleSetDefinition } from '../src/definition/types';
import { createOracle } from './oracle';
import type { OracleOutcome } from './oracle';

/** A record with what the rule set's keys read in it. */
export interface OracleRecord {
  value: unknown;
  amount: ReturnType<CompiledRuleSet['readKeys']>['amount'];
  day: ReturnType<CompiledRuleSet['readKeys']>['day'];
}

/** The decisions that a pair may have: one, or two when a score is too close to a threshold to be sure. */
export interface Permitted {
  decisions: ReadonlySet<string>;
  score: number | null;
}

/** Scores that lie closer to a threshold than this may be on either side of it. */
export const scoreNoise = 1e-9;

const only = (decision: string, score: number | null = null): Permitted => ({ decisions: new Set([decision]), score });
const noMatch = only('NO_MATCH');

/** Decides pairs as the documentation of rule sets says, one rule after the other, with nothing but jsonata. */
export function createPairOracle(definition: RuleSetDefinition, pairFilters: readonly string[]) {
  const { params } = definition;
  const scale = params.Tmatch <= 1 ? 1 : 100;
  const filters = pairFilters.map(asCondition);
  const gate =
    definition.jsonataExpr === null || definition.engine === 'jsonata' ? null : asCondition(definition.jsonataExpr);
  const main = definition.engine === 'jsonata' ? createOracle(definition.jsonataExpr ?? '') : null;
  const matchers = (params.matchers ?? []).map((matcher) => ({
    weight: matcher.weight ?? 1,
    required: matcher.required ?? false,
    evaluate: createOracle(matcher.expr),
  }));

  return async (left: OracleRecord, right: OracleRecord): Promise<Permitted> => {
    if (isOutsideWindow(params.windowDays, left, right)) return noMatch;
    if (isOutsideTolerance(params.amountTolerancePercent, left, right)) return noMatch;
    const input = { left: left.value, right: right.value };
    for (const condition of gate === null ? filters : [...filters, gate]) {
      const outcome = await condition(input);
      if ('code' in outcome) return only(`ERROR ${outcome.code}`);
      if (outcome.value !== true) return noMatch;
    }
    if (main !== null) return byScore(readScore(await main(input), scale), definition);
    const votes: Vote[] = [];
    for (const { weight, required, evaluate } of matchers)
      votes.push({ weight, required, reading: readVote(await evaluate(input)) });
    return decideVotes(votes, scale, definition);
  };
}

function isOutsideWindow(days: number | undefined, left: OracleRecord, right: OracleRecord): boolean {
  if (days === undefined) return false;
  return !left.day.ok || !right.day.ok || Math.abs(left.day.day - right.day.day) > days;
}

/** |l − r| <= pct/100 · max(|l|, |r|) in integers; the percentages of the cases are multiples of 0.1. */
function isOutsideTolerance(percent: number | undefined, left: OracleRecord, right: OracleRecord): boolean {
  if (percent === undefined) return false;
  if (!left.amount.ok || !right.amount.ok) return true;
  const one = exact(left.amount);
  const other = exact(right.amount);
  const gap = one > other ? one - other : other - one;
  const larger = [one, -one, other, -other].reduce((most, value) => (value > most ? value : most));
  return gap * 1_000n > BigInt(Math.round(percent * 10)) * larger;
}

function exact({ units, scale }: { units: number; scale: number }): bigint {
  return BigInt(units) * 10n ** BigInt(4 - scale);
}

const toBoolean = createOracle('$boolean(value)', { copies: false });

/** Casts as `$boolean` does; nothing and functions are false. */
function asCondition(source: string): (input: unknown) => Promise<OracleOutcome> {
  const evaluate = createOracle(source);
  return async (input) => {
    const outcome = await evaluate(input);
    return 'code' in outcome || typeof outcome.value === 'function' ? outcome : toBoolean(outcome);
  };
}

type Reading = number | null | { code: string };

function readVote(outcome: OracleOutcome): Reading {
  if ('code' in outcome) return outcome;
  const { value } = outcome;
  if (value === null) return null;
  if (typeof value === 'boolean' || value === undefined) return Number(value === true);
  if (typeof value === 'number' && Number.isFinite(value)) return Math.min(1, Math.max(0, value));
  return { code: 'matcher_result_type' };
}

function readScore(outcome: OracleOutcome, scale: number): number | { code: string } {
  if ('code' in outcome) return outcome;
  const { value } = outcome;
  if (value === true) return scale;
  if (value === false || value === null || value === undefined) return 0;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  const score = isObject ? (Object.hasOwn(value, 'score') ? (value as { score: unknown }).score : undefined) : value;
  if (typeof score !== 'number' || !Number.isFinite(score)) return { code: 'result_type' };
  return Math.min(scale, Math.max(0, score));
}

function byScore(score: number | { code: string }, { params }: RuleSetDefinition): Permitted {
  if (typeof score !== 'number') return only(`ERROR ${score.code}`);
  const decisions = [-scoreNoise, 0, scoreNoise].map((shift) => decisionOf(score + shift, params));
  return { decisions: new Set(decisions), score };
}

function decisionOf(score: number, { Tmatch, Tpossible }: RuleSetDefinition['params']): string {
  if (score >= Tmatch) return 'MATCH';
  return score >= Tpossible ? 'POSSIBLE' : 'NO_MATCH';
}

interface Vote {
  weight: number;
  required: boolean;
  reading: Reading;
}

/** Required matchers in the order given, then the others; a failure before the pair is decided makes it an error. */
function decideVotes(votes: readonly Vote[], scale: number, definition: RuleSetDefinition): Permitted {
  const { Tpossible } = definition.params;
  const decisions = new Set<string>();
  const open = [...votes.filter(({ required }) => required), ...votes.filter(({ required }) => !required)];
  const known: Vote[] = [];
  for (let vote = open.shift(); vote !== undefined; vote = open.shift()) {
    const { required, reading } = vote;
    if (isFailure(reading)) return { decisions: decisions.add(`ERROR ${reading.code}`), score: null };
    if (required && !reading) return { decisions: decisions.add('NO_MATCH'), score: null };
    known.push(vote);
    const best = mean([...known, ...open.map((later) => ({ ...later, reading: 1 }))], scale);
    if (best < Tpossible - 2 * scoreNoise * scale) return { decisions: decisions.add('NO_MATCH'), score: null };
    if (best < Tpossible) decisions.add('NO_MATCH');
  }
  const { decisions: scored, score } = byScore(mean(votes, scale), definition);
  return { decisions: new Set([...decisions, ...scored]), score };
}

function isFailure(reading: Reading): reading is { code: string } {
  return typeof reading === 'object' && reading !== null;
}

/** S · Σ(weight · value) / Σ(weight) over those that do not abstain. */
function mean(votes: readonly Vote[], scale: number): number {
  const voting = votes.filter((vote): vote is Vote & { reading: number } => typeof vote.reading === 'number');
  const total = voting.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : (scale * voting.reduce((sum, { weight, reading }) => sum + weight * reading, 0)) / total;
}
