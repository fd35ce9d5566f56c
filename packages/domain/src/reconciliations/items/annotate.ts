import { AppError, invalid, type FieldError, type SqlParameter } from '@tieout/infra';
import { recordAudit } from '../../audit';
import type { TenantScope } from '../../kernel/scope';
import { getReconciliation, shareReconciliation, type Reconciliation } from '../definition';
import { todayIn } from '../periods/month';
import { unknownReason, unknownReasons } from '../reason-codes';
import type { BulkOutcome } from '../groups';
import { itemCondition } from './filter';
import type { ItemAnnotation, OpenItemFilter } from './types';

/** Items of a request: by record, or all of a filter. */
export type ItemSelection = { recordIds: readonly string[] } | { filter: OpenItemFilter };

/** Items that one transaction changes. */
const itemsPerStep = 500;

/**
 * Changes what people say about an item.
 * @throws AppError reconciliation_not_found, record_not_found, validation_error; record_held: a held record cannot be
 *   excluded
 */
export async function annotateItem(
  scope: TenantScope,
  reconciliationId: string,
  { recordId, set }: { recordId: string; set: ItemAnnotation },
): Promise<void> {
  const { failed } = await annotateItems(scope, reconciliationId, { selection: { recordIds: [recordId] }, set });
  const [fault] = failed;
  if (fault) throw new AppError(fault.code as 'record_not_found' | 'record_held', fault.message);
}

/**
 * Changes what people say about many items in batches; each batch is atomic.
 * @throws AppError reconciliation_not_found, validation_error
 */
export async function annotateItems(
  scope: TenantScope,
  reconciliationId: string,
  { selection, set }: { selection: ItemSelection; set: ItemAnnotation },
): Promise<BulkOutcome> {
  const reconciliation = await getReconciliation(scope, reconciliationId);
  await assertAnnotation(scope, reconciliation, set);
  const outcome: BulkOutcome = { done: 0, failed: [] };
  for await (const ids of stepsOf(scope, reconciliation, selection)) {
    await scope.transaction((s) => annotateStep(s, reconciliationId, { ids, set, selection, outcome }));
  }
  return outcome;
}

async function* stepsOf(
  scope: TenantScope,
  reconciliation: Reconciliation,
  selection: ItemSelection,
): AsyncGenerator<string[]> {
  if ('recordIds' in selection) {
    const ids = [...new Set(selection.recordIds.map((id) => id.toLowerCase()))];
    for (let from = 0; from < ids.length; from += itemsPerStep) yield ids.slice(from, from + itemsPerStep);
    return;
  }
  const { sql, parameters } = await itemCondition(scope, reconciliation, selection.filter);
  const after = `$${parameters.length + 1}::uuid`;
  let last: string | null = null;
  for (;;) {
    const rows: { id: string }[] = await scope.db.query<{ id: string }>(
      `select i.record_id::text as id from reconciliation_items i
        where ${sql} and (${after} is null or i.record_id > ${after}) order by i.record_id limit ${itemsPerStep}`,
      [...parameters, last],
    );
    if (rows.length === 0) return;
    last = rows.at(-1)?.id ?? null;
    yield rows.map(({ id }) => id);
  }
}

async function assertAnnotation(scope: TenantScope, { timezone }: Reconciliation, set: ItemAnnotation): Promise<void> {
  const given = [
    ['/reasonCode', set.reasonCode],
    ['/excluded/reasonCode', set.excluded?.reasonCode],
  ] as const;
  const unknown = await unknownReasons(
    scope,
    given.flatMap(([, code]) => code ?? []),
  );
  const faults: FieldError[] = given.flatMap(([path, code]) =>
    typeof code === 'string' && unknown.includes(code) ? [unknownReason(path)] : [],
  );
  const today = todayIn(timezone);
  if (typeof set.snoozedUntil === 'string' && set.snoozedUntil < today) {
    faults.push({ path: '/snoozedUntil', code: 'past', message: `must not be before today, ${today}; null ends it` });
  }
  if (faults.length > 0) throw invalid(faults);
}

const shown = `jsonb_build_object('assignee', i.assignee, 'reason_code', i.reason_code, 'note', i.note,
  'snoozed_until', i.snoozed_until, 'excluded', i.excluded)`;

async function annotateStep(
  scope: TenantScope,
  reconciliationId: string,
  {
    ids,
    set,
    selection,
    outcome,
  }: { ids: readonly string[]; set: ItemAnnotation; selection: ItemSelection; outcome: BulkOutcome },
): Promise<void> {
  const { db, tenantId, origin } = scope;
  await shareReconciliation(scope, reconciliationId);
  const items = await db.query<{ id: string; holds: number; before: object }>(
    `select i.record_id::text as id, i.holds, ${shown} as before from reconciliation_items i
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.record_id = any($3::uuid[])
      order by i.record_id for no key update`,
    [tenantId, reconciliationId, ids],
  );
  const found = new Map(items.map((item) => [item.id, item]));
  const excludes = set.excluded !== undefined && set.excluded !== null;
  const changed = ids.filter((id) => {
    const item = found.get(id);
    if (!item)
      outcome.failed.push({ id, code: 'record_not_found', message: 'The record is not an item of the reconciliation' });
    else if (excludes && item.holds > 0) {
      outcome.failed.push({ id, code: 'record_held', message: 'A group holds the record: release it first' });
    } else return true;
    return false;
  });
  if (changed.length === 0) return;
  const parameters: SqlParameter[] = [tenantId, reconciliationId, changed];
  const sets = ['updated_at = now()'];
  const put = (column: string, value: string | null | undefined, type: string): void => {
    if (value !== undefined) sets.push(`${column} = $${parameters.push(value)}::${type}`);
  };
  put('assignee', set.assignee, 'text');
  put('reason_code', set.reasonCode, 'text');
  put('note', set.note, 'text');
  put('snoozed_until', set.snoozedUntil, 'date');
  if (set.excluded !== undefined) {
    const { excluded } = set;
    const stored = excluded && {
      reasonCode: excluded.reasonCode,
      note: excluded.note ?? null,
      at: new Date().toISOString(),
      by: origin.actor,
    };
    put('excluded', stored && JSON.stringify(stored), 'jsonb');
  }
  await db.execute(
    `update reconciliation_items set ${sets.join(', ')}
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and record_id = any($3::uuid[])`,
    parameters,
  );
  outcome.done += changed.length;
  const [first = ''] = changed;
  await recordAudit(scope, {
    action: set.excluded === undefined ? 'open_item.annotate' : excludes ? 'open_item.exclude' : 'open_item.include',
    object: changed.length === 1 ? { type: 'record', id: first } : { type: 'reconciliation', id: reconciliationId },
    before:
      changed.length === 1
        ? (found.get(first)?.before ?? null)
        : { items: changed.map((id) => ({ record_id: id, ...found.get(id)?.before })) },
    after: {
      reconciliation_id: reconciliationId,
      record_ids: changed,
      set,
      ...('filter' in selection ? { filter: selection.filter } : {}),
    },
    reason: set.excluded?.note ?? set.excluded?.reasonCode ?? null,
  });
}
