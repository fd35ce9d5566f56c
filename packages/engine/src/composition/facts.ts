import { readDay } from '../values/calendar';
import { readAmount } from '../values/decimal';
import { noDay } from '../pairs/types';
import { readPath } from '../values/path';
import type { EffectiveComposition } from '../definition/defaults';
import type { JsonObject, Side } from '../values/types';
import { maxInstallments, maxSetMembers, planTooLong } from './limits';
import type { CompositionFacts } from './types';

/** A plan of one is none. */
const minInstallments = 2;

type Plan = Pick<CompositionFacts, 'totalCount' | 'position'>;

/** A hundred years of months: in a text more is another number, such as a year. */
const maxReadInstallments = 1_200;

const noPlan: Plan = { totalCount: null, position: null };
const longPlan: Plan = { totalCount: planTooLong, position: null };

export function readFacts(composition: EffectiveComposition, side: Side, record: JsonObject): CompositionFacts {
  const {
    installmentDiscovery: { enabled, totalCountField, unitValueField },
    groupByField,
  } = composition;
  const day = readDay(readPath(record, side === 'left' ? composition.dateFieldLeft : composition.dateFieldRight));
  const at = (path: string | undefined): unknown => (path === undefined ? undefined : readPath(record, path));
  return {
    amount: readAmount(readPath(record, side === 'left' ? composition.amountFieldLeft : composition.amountFieldRight)),
    day: day.ok ? day.day : noDay,
    group: readGroup(at(groupByField)),
    ...readPlan(enabled ? at(totalCountField) : undefined),
    unitValue: readAmount(at(unitValueField)),
  };
}

/** Numbers and truth values group with their texts; a blank text is no group. */
function readGroup(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** `3/12`, `3 de 12`, `3 of 12`; a third number behind it is a date's. */
const positionOfTotal = /(?<![\d/.,])(\d+)\s*(?:\/|\b(?:de|of)\b)\s*(\d+)(?!\s*\/|[.,]?\d)/giu;

/** Whole numbers and parts of others. */
const numbersInText = /\d+(?:[.,]\d+)*/g;

/**
 * A number of installments, or a text that holds position and number (`Parcela 3 de 12`, `PARC 3/12 LOJA 24H`: the first
 * such pair that makes sense counts), else one whose last whole number is that number and whose first, when there are several and
 * the plan is no longer than other groups may be, is the position: `12`, `plan 3-12`. What makes no sense counts as missing;
 * a number of installments that is too large is told apart from that.
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
