import type { BlockingRule } from '../blocking/blocking';
import { amountToNumber } from '../values/decimal';
import type { ComparedRecord } from '../rule-set/compiled';
import { effectiveMatchers } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';
import { roundScore, scoreScale, weigh } from './scoring';
import type { MatcherValues, ScoreScale } from './scoring';
import { storable } from '../values/storable';
import type { JsonObject } from '../values/types';

export interface MatcherFacts {
  id: string;
  name: string;
  weight: number;
  required: boolean;
}

/** What is the same for every pair of a rule set. */
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

/** What a pair's matchers said; `errors` only where a pair was decided before the error. */
export interface PairEvidence {
  values: MatcherValues;
  errors: ReadonlyMap<string, string>;
  reasons?: unknown;
}

/** Why a pair has its score. */
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
 * What is stored of a pair's explanation: `values` of the matchers in definition order, and what else differs from pair
 * to pair. Scores and decisions are not computed again: the rest is the definition that the pair was compared by.
 */
export function storedExplanation(explanation: JsonObject): JsonObject {
  const { scale: _scale, thresholds: _thresholds, ruleSetVersion: _version, matchers, ...own } = explanation;
  return { values: (matchers as JsonObject[]).map(({ value }) => value), ...own };
}

const storedValues = '{"values":';

/**
 * Makes the whole explanation of a stored pair, from JSON text to JSON text, for all pairs that were compared by the definition. `values`
 * come first in the text, as PostgreSQL and the writer have them. One that was stored whole comes back as it is. It holds on to no expression of
 * the definition.
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
    behind: `,"required":${required}}`,
  }));
  const tail = `,"ruleSetVersion":${version}}`;
  return (stored) => {
    if (!stored.startsWith(storedValues)) return stored;
    const end = stored.indexOf(']') + 1;
    const values = JSON.parse(stored.slice(storedValues.length, end)) as MatcherValues;
    const { weight: voting } = weigh(weights, values);
    let text = head;
    for (const [index, { weight, before, behind }] of facts.entries()) {
      const value = values[index] ?? null;
      text += `${before}${value},"weight":${weight},"contribution":${contribution(scale, weight, value, voting)}${behind}`;
    }
    return `${text}]${stored.slice(end, -1)}${tail}`;
  };
}

/** The share of each matcher in the score. */
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

/** right − left, the double nearest to the exact difference. */
export function amountDelta(left: number, right: number, scale: number): number {
  const delta = right - left;
  if (Number.isSafeInteger(delta)) return amountToNumber(delta, scale);
  return Number(`${BigInt(right) - BigInt(left)}e-${scale}`);
}

/** The left record's block key as text; units and day null where it has none. */
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
