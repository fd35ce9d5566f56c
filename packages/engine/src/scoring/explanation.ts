import type { BlockingRule } from '../blocking/blocking';
import { amountToNumber } from '../values/decimal';
import type { ComparedRecord } from './types';
import { effectiveMatchers, scoreScale } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';
import { roundScore, weigh } from './scoring';
import type { MatcherValues } from './scoring';
import type { ScoreScale } from '../definition/defaults';
import { storable } from '../values/json';
import type { JsonObject } from '../values/types';

export interface MatcherFacts {
  id: string;
  name: string;
  weight: number;
  required: boolean;
}

/** Facts that all pairs of a rule set share. */
export interface ExplanationFrame {
  scale: ScoreScale;
  thresholds: { Tmatch: number; Tpossible: number };
  matchers: readonly MatcherFacts[];
  weights: readonly number[];
  blocking: BlockingRule;
  ruleSetVersion: number;
  /** Scale of the records' `amountUnits`. */
  amountScale: number;
}

/** Results of a pair's matchers; `errors` only where a pair was decided before the error. */
export interface PairEvidence {
  values: MatcherValues;
  errors: ReadonlyMap<string, string>;
  reasons?: unknown;
}

/** Explains why a pair has its score. */
export function explainPair(
  frame: ExplanationFrame,
  left: ComparedRecord,
  right: ComparedRecord,
  evidence: PairEvidence,
): JsonObject {
  const explanation: JsonObject = {
    scale: frame.scale,
    thresholds: { ...frame.thresholds },
    matchers: explainMatchers(frame, evidence),
  };
  if (left.amountUnits !== null && right.amountUnits !== null) {
    explanation['amountDelta'] = amountDelta(left.amountUnits, right.amountUnits, frame.amountScale);
  }
  if (left.day !== null && right.day !== null) explanation['dayDelta'] = right.day - left.day;
  const blockKey = leftBlockKey(frame, left.amountUnits, left.day);
  if (blockKey !== undefined) explanation['blockKey'] = blockKey;
  if (evidence.reasons !== undefined) {
    const reasons = storable(evidence.reasons);
    if (reasons !== undefined) explanation['reasons'] = reasons;
  }
  explanation['ruleSetVersion'] = frame.ruleSetVersion;
  return explanation;
}

/**
 * Reduces an explanation to its stored form: the matchers' `values` in definition order, and what else differs from
 * pair to pair. Scores and decisions are not computed again: the rest is the definition that compared the pair.
 */
export function storedExplanation(explanation: JsonObject): JsonObject {
  const { scale: _scale, thresholds: _thresholds, ruleSetVersion: _version, matchers, ...own } = explanation;
  return { values: (matchers as JsonObject[]).map(({ value }) => value), ...own };
}

const storedValues = '{"values":';

/**
 * Creates a function that expands the stored explanation of a pair, JSON text to JSON text, for all pairs compared by
 * the definition. `values` are first in the text, as PostgreSQL and the writer order them. An explanation that was
 * stored whole comes back unchanged. The function does not keep expressions of the definition in memory.
 */
export function explanationExpander({ engine, params, version }: RuleSetDefinition): (stored: string) => string {
  const scale = scoreScale(params.Tmatch);
  const { Tmatch, Tpossible } = params;
  const matchers = engine === 'jsonata' ? [] : effectiveMatchers(params);
  const weights = matchers.map(({ weight }) => weight);
  const head = `{"scale":${scale},"thresholds":${JSON.stringify({ Tmatch, Tpossible })},"matchers":[`;
  const facts = matchers.map(({ id, name, weight, required }, index) => ({
    weight,
    before: `${index === 0 ? '' : ','}{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"value":`,
    after: `,"required":${required}}`,
  }));
  const tail = `,"ruleSetVersion":${version}}`;
  return (stored) => {
    if (!stored.startsWith(storedValues)) return stored;
    const end = stored.indexOf(']') + 1;
    const values = JSON.parse(stored.slice(storedValues.length, end)) as MatcherValues;
    const { weight: voting } = weigh(weights, values);
    let text = head;
    for (const [index, { weight, before, after }] of facts.entries()) {
      const value = values[index] ?? null;
      const share = contribution(scale, weight, value, voting);
      text += `${before}${value},"weight":${weight},"contribution":${share}${after}`;
    }
    return `${text}]${stored.slice(end, -1)}${tail}`;
  };
}

/** Explains the share of each matcher in the score. */
function explainMatchers(
  frame: Pick<ExplanationFrame, 'scale' | 'matchers' | 'weights'>,
  evidence: Pick<PairEvidence, 'values' | 'errors'>,
): JsonObject[] {
  const { weight: voting } = weigh(frame.weights, evidence.values);
  return frame.matchers.map((matcher, index) => {
    const value = evidence.values[index] ?? null;
    const error = evidence.errors.get(matcher.id);
    return {
      id: matcher.id,
      name: matcher.name,
      value,
      weight: matcher.weight,
      contribution: contribution(frame.scale, matcher.weight, value, voting),
      required: matcher.required,
      ...(error === undefined ? {} : { error }),
    };
  });
}

function contribution(scale: ScoreScale, weight: number, value: number | null, voting: number): number {
  return roundScore(voting === 0 ? 0 : (scale * weight * (value ?? 0)) / voting, scale);
}

/** Returns right − left as the double nearest to the exact difference. */
export function amountDelta(left: number, right: number, scale: number): number {
  const delta = right - left;
  if (Number.isSafeInteger(delta)) return amountToNumber(delta, scale);
  return Number(`${BigInt(right) - BigInt(left)}e-${scale}`);
}

/** Returns the left record's block key as text; a record without amount or day has none of that part. */
export function leftBlockKey(
  frame: ExplanationFrame,
  amountUnits: number | null,
  day: number | null,
): string | undefined {
  if (!frame.blocking.active) return undefined;
  const key = frame.blocking.keyOf({
    amount:
      amountUnits === null
        ? { ok: false, reason: 'missing' }
        : { ok: true, units: amountUnits, scale: frame.amountScale },
    day: day === null ? { ok: false, reason: 'missing' } : { ok: true, day },
  });
  return 'reason' in key ? undefined : frame.blocking.describe(key);
}
