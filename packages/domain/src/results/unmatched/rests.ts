import {
  amountToNumber,
  effectiveParams,
  readAmount,
  readPath,
  rescale,
  type RuleSetDefinition,
  type Side,
} from '@tieout/engine';
import { recordValues } from '../../data/records';
import { groupBy } from '../../kernel/grouping';
import type { TenantScope } from '../../kernel/scope';
import { heldRecords, heldScale, type ReviewedComposite } from '../composites';

interface PartHolder extends Omit<ReviewedComposite, 'memberRecordIds'> {
  ruleSetId: string;
  definition: RuleSetDefinition;
}

/**
 * Returns the remaining amounts of those of the records that confirmed composites of the job's rule sets hold in part.
 */
export async function restsOf(
  scope: TenantScope,
  jobId: string,
  side: Side,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const { tenantId, db } = scope;
  const holders = await db.query<PartHolder>(
    // `offset 0` keeps each search on the index of the record: right after a large job statistics are out of date.
    `select c.direction, c.status, c.target_record_id as "targetRecordId", c.composed_amount as "composedAmount",
            coalesce((c.explanation ->> 'heldAmount')::float8, 0) as "heldBefore",
            c.rule_set_id as "ruleSetId", e.definition
       from unnest($3::uuid[]) r(id),
            lateral (select * from composite_matches where target_record_id = r.id offset 0) c
       join job_rule_sets e on e.rule_set_id = c.rule_set_id and e.job_id = $2::uuid
      where c.tenant_id = $1::uuid and c.review_status = 'confirmed' and c.direction = $4
      order by e.position`,
    [tenantId, jobId, recordIds, side === 'left' ? 'one_to_many' : 'many_to_one'],
  );
  if (holders.length === 0) return new Map();
  const values = await recordValues(scope, [...new Set(holders.map(({ targetRecordId }) => targetRecordId))]);
  const rests = new Map<string, number>();
  for (const group of groupBy(holders, ({ ruleSetId }) => ruleSetId).values()) {
    const { composition } = effectiveParams((group[0] as PartHolder).definition);
    const field = side === 'left' ? composition.amountFieldLeft : composition.amountFieldRight;
    const { parts } = heldRecords(group.map((holder) => ({ ...holder, memberRecordIds: [] })));
    for (const [id, held] of parts[side]) {
      const rest = restOf(readPath(values.get(id), field), held);
      if (rest !== null && !rests.has(id)) rests.set(id, rest);
    }
  }
  return rests;
}

/** Returns an amount without a part of it; null when it cannot be read. */
function restOf(value: unknown, held: bigint): number | null {
  const amount = readAmount(value);
  const units = amount.ok ? rescale(amount.units, amount.scale, heldScale) : null;
  return units === null ? null : amountToNumber(Number(BigInt(units) - held), heldScale);
}
