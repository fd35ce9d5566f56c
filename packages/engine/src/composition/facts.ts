import { readDay, noDay } from '../values/calendar';
import { readAmount, signed } from '../values/decimal';
import { readPath, withoutPath } from '../values/json';
import { textHash } from '../values/text-hash';
import { dayInZone } from '../values/zone';
import type { EffectiveComposition, EffectiveParams } from '../definition/defaults';
import type { JsonObject, Side } from '../values/types';
import { maxInstallments, maxSetMembers, planTooLong } from './limits';
import type { CompositionFacts } from './types';

/** Fewer installments do not make a plan. */
const minInstallments = 2;

type Plan = Pick<CompositionFacts, 'totalCount' | 'position'>;

/** Bound on installments read from a text, a hundred years of months; more is another number, such as a year. */
const maxReadInstallments = 1_200;

const noPlan: Plan = { totalCount: null, position: null };
const longPlan: Plan = { totalCount: planTooLong, position: null };

/** Reads the facts of a record that composition needs. */
export function readFacts(params: EffectiveParams, side: Side, record: JsonObject): CompositionFacts {
  const { composition, timezone, amountSign } = params;
  const {
    installmentDiscovery: { enabled, totalCountField, unitValueField },
    groupByField,
  } = composition;
  const sign = side === 'right' && amountSign === 'opposite' ? -1 : 1;
  const day = readDay(
    readPath(record, side === 'left' ? composition.dateFieldLeft : composition.dateFieldRight),
    dayInZone(timezone),
  );
  const at = (path: string | undefined): unknown => (path === undefined ? undefined : readPath(record, path));
  return {
    amount: signed(
      readAmount(readPath(record, side === 'left' ? composition.amountFieldLeft : composition.amountFieldRight)),
      sign,
    ),
    day: day.ok ? day.day : noDay,
    group: readGroup(at(groupByField)),
    ...readPlan(enabled ? at(totalCountField) : undefined),
    unitValue: readAmount(at(unitValueField)),
    matchKey: readMatchKey(composition.matchKeys.map((paths) => readPath(record, paths[side]))),
    related: null,
    content: 0,
  };
}

/** Hashes what a rule set reads of a record, apart from an amount and a day that composition has read. */
export function contentOf(
  composition: EffectiveComposition,
  side: Side,
  { facts, values }: { facts: Pick<CompositionFacts, 'amount' | 'day'>; values: JsonObject },
): number {
  const isLeft = side === 'left';
  const { amountFieldLeft, amountFieldRight, dateFieldLeft, dateFieldRight } = composition;
  const rest = facts.amount.ok ? withoutPath(values, isLeft ? amountFieldLeft : amountFieldRight) : values;
  return textHash(
    JSON.stringify(facts.day === noDay ? rest : withoutPath(rest, isLeft ? dateFieldLeft : dateFieldRight)),
  );
}

/** Joins the values of matchKeys; numbers and booleans equal their texts, a blank text is not a key. */
function readMatchKey(values: readonly unknown[]): string | null {
  const texts = values.map(readGroup);
  return texts.length === 0 || texts.includes(null) ? null : JSON.stringify(texts);
}

/** Reads the group; numbers and booleans group with their texts, a blank text is not a group. */
function readGroup(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Matches `3/12`, `3 de 12` and `3 of 12`; a third number after them belongs to a date. */
const positionOfTotal = /(?<![\d/.,])(\d+)\s*(?:\/|\b(?:de|of)\b)\s*(\d+)(?!\s*\/|[.,]?\d)/giu;

/** Matches whole and decimal numbers. */
const numbersInText = /\d+(?:[.,]\d+)*/g;

/**
 * Reads a number of installments, or a text. The first pair of position and number in a text that makes sense counts
 * (`Parcela 3 de 12`, `PARC 3/12 LOJA 24H`). Otherwise the last whole number of the text is the number of installments,
 * and the first of several is the position, if the plan is no longer than other groups may be: `12`, `plan 3-12`. A
 * value that makes no sense counts as missing; a number of installments that is too large is reported separately.
 */
export function readPlan(value: unknown): Plan {
  if (typeof value === 'number') return planOfCount(value);
  if (typeof value !== 'string') return noPlan;
  if (/^\s*\d+\s*$/.test(value)) return planOfCount(Number(value));
  const pairs = Array.from(value.matchAll(positionOfTotal), ([, position, totalCount]) =>
    planOf(Number(position), Number(totalCount)),
  );
  if (pairs.length > 0)
    return (
      pairs.find((plan) => plan !== noPlan && plan !== longPlan) ?? pairs.find((plan) => plan === longPlan) ?? noPlan
    );
  const integers = (value.match(numbersInText) ?? []).filter((number) => /^\d+$/.test(number)).map(Number);
  const [first = 0, last = first] = [integers[0], integers.at(-1)];
  if (integers.length === 1) return isCount(first) ? { totalCount: first, position: null } : noPlan;
  return last <= maxSetMembers ? planOf(first, last) : noPlan;
}

function planOf(position: number, totalCount: number): Plan {
  if (position < 1 || position > totalCount) return noPlan;
  if (isCount(totalCount)) return { totalCount, position };
  return totalCount > maxInstallments && totalCount <= maxReadInstallments ? longPlan : noPlan;
}

function planOfCount(totalCount: number): Plan {
  if (isCount(totalCount)) return { totalCount, position: null };
  return Number.isInteger(totalCount) && totalCount > maxInstallments ? longPlan : noPlan;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= minInstallments && value <= maxInstallments;
}
