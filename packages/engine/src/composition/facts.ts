import { readDay } from '../calendar';
import { readAmount } from '../decimal';
import { NO_DAY } from '../pairs/types';
import { readPath } from '../path';
import type { EffectiveComposition } from '../rule-set/defaults';
import type { JsonObject, Side } from '../types';
import type { CompositionFacts } from './types';

/** The least and the most installments that a record's plan can have. */
const FEWEST_INSTALLMENTS = 2;
export const MOST_INSTALLMENTS = 60;

const NO_PLAN = { totalCount: null, position: null };

export function readFacts(composition: EffectiveComposition, side: Side, record: JsonObject): CompositionFacts {
  const { installmentDiscovery: { totalCountField, unitValueField }, groupByField } = composition;
  const day = readDay(readPath(record, side === 'left' ? composition.dateFieldLeft : composition.dateFieldRight));
  const at = (path: string | undefined): unknown => (path === undefined ? undefined : readPath(record, path));
  return {
    amount: readAmount(readPath(record, side === 'left' ? composition.amountFieldLeft : composition.amountFieldRight)),
    day: day.ok ? day.day : NO_DAY,
    group: readGroup(at(groupByField)),
    ...readPlan(at(totalCountField)),
    unitValue: readAmount(at(unitValueField)),
  };
}

/** Numbers and truth values group with their texts; a blank text is no group. */
function readGroup(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/**
 * A number of installments, or a text whose last integer is that number and whose first, when there are several, is the
 * position: `12`, `3/12`, `Parcela 3 de 12`. What makes no sense counts as missing.
 */
export function readPlan(value: unknown): Pick<CompositionFacts, 'totalCount' | 'position'> {
  if (typeof value === 'number') return isCount(value) ? { totalCount: value, position: null } : NO_PLAN;
  if (typeof value !== 'string') return NO_PLAN;
  const integers = value.match(/\d+/g) ?? [];
  const totalCount = Number(integers.at(-1));
  if (!isCount(totalCount)) return NO_PLAN;
  if (integers.length === 1) return { totalCount, position: null };
  const position = Number(integers[0]);
  return position >= 1 && position <= totalCount ? { totalCount, position } : NO_PLAN;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= FEWEST_INSTALLMENTS && value <= MOST_INSTALLMENTS;
}
