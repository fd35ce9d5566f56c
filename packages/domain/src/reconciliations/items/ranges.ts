import type { Side } from '@tieout/engine';
import type { SqlParameter } from '@tieout/infra';
import { sideNumber } from '../../results/unmatched';
import type { OpenItemFilter } from './types';

/** SQL for today in the time zone of a parameter. */
export const todaySql = (timezone: string): string => `(now() at time zone ${timezone})::date`;

/** SQL for items `i`; the first parameters are tenant, reconciliation and time zone. */
export const itemsSql = {
  own: `i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and $3::text is not null`,
  ofSide: (side: Side): string => `i.side = ${sideNumber[side]}`,
};

/** A bound of a filter: a value, and the condition with the parameter that takes it. */
interface Bound {
  value: SqlParameter;
  sql: (parameter: string) => string;
}

/**
 * Returns the bounds of a filter that an index has, those of one index together. The rank of an amount is in the index;
 * the amount itself decides where doubles are too coarse. One that is missing ranks last.
 */
export function rangesOf(filter: OpenItemFilter): Bound[][] {
  const bounds = (...sent: [SqlParameter | undefined, Bound['sql']][]): Bound[] =>
    sent.flatMap(([value, sql]) => (value === undefined ? [] : [{ value, sql }]));
  return [
    bounds(
      [filter.amountMin, (p) => `i.amount_rank >= ${p}::numeric::float8 and i.amount >= ${p}::numeric`],
      [filter.amountMax, (p) => `i.amount_rank <= ${p}::numeric::float8 and i.amount <= ${p}::numeric`],
    ),
    bounds(
      [filter.dateFrom, (p) => `i.day_rank >= ${p}::date and i.day is not null`],
      [filter.dateTo, (p) => `i.day_rank <= ${p}::date`],
      [filter.minAgeDays, (p) => `i.day_rank <= ${todaySql('$3')} - ${p}::int`],
    ),
    bounds([filter.assignee, (p) => `i.assignee = ${p}`]),
    bounds([filter.reasonCode, (p) => `i.reason_code = ${p}`]),
  ].filter((range) => range.length > 0);
}
