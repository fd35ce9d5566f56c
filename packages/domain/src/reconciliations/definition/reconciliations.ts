import { isTimezone, type Side } from '@tieout/engine';
import { AppError, invalid, isUniqueViolation, newId, type FieldError, type SqlParameter } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { listedRuleSets, listedRuleSetsById, type RuleSet } from '../../rules/rule-sets';
import { forgetTotals } from '../totals';
import { defaultKeys, passFaults } from './passes';
import { readApprovalAbove } from './approval-above';
import { auditedReconciliation, getReconciliation, lockReconciliation, readReconciliations } from './rows';
import { nextRunOf, triggerFaults } from './triggers';
import type { ItemKeys, KeyInput, NewReconciliation, Reconciliation, ReconciliationChange } from './types';

/** A reconciliation as it will stand, with the rule sets of its passes. */
type Draft = Omit<
  Reconciliation,
  'id' | 'nextRunAt' | 'lastRun' | 'filled' | 'heldOnce' | 'closedTo' | 'lockedTo' | 'createdAt' | 'updatedAt'
>;

/**
 * Creates a reconciliation. The records of its datasets become items: those of today by and by, those to come with
 * their own transaction.
 * @throws AppError validation_error: unknown datasets and rule sets, a rule set that cannot be a pass; conflict: the
 *   name is taken
 */
export async function createReconciliation(scope: TenantScope, input: NewReconciliation): Promise<Reconciliation> {
  return keepingName(() =>
    scope.transaction(async (s) => {
      const draft = await draftOf(s, input, undefined);
      const id = newId();
      await s.db.execute(
        `insert into reconciliations
           (tenant_id, id, name, timezone, accept, amount_sign, triggers, archived, amount_key_left, amount_key_right,
            date_key_left, date_key_right, currency_key_left, currency_key_right, next_run_at, approval_above)
         values ($1::uuid, $2::uuid, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12, $13, $14, $15::timestamptz,
                 $16::numeric)`,
        [s.tenantId, id, ...valuesOf(draft)],
      );
      await writePasses(s, id, draft.ruleSetIds);
      await addDatasets(s, id, draft.datasetIds);
      const made = await getReconciliation(s, id);
      await recordAudit(s, {
        action: 'reconciliation.create',
        object: { type: 'reconciliation', id },
        after: auditedReconciliation(made),
      });
      await enqueueFill(s, id);
      return made;
    }),
  );
}

/** Lists reconciliations, newest first. @param archived undefined: both */
export function listReconciliations(
  scope: TenantScope,
  { archived }: { archived?: boolean | undefined },
  page: PageRequest,
): Promise<Page<Reconciliation>> {
  const parameters: SqlParameter[] = archived === undefined ? [] : [archived];
  const filter = archived === undefined ? '' : 'and n.archived = $2::boolean';
  return readPage(page, {
    count: async () =>
      (
        await scope.db.query<{ total: number }>(
          `select count(*)::float8 as total from reconciliations n where n.tenant_id = $1::uuid ${filter}`,
          [scope.tenantId, ...parameters],
        )
      )[0]?.total ?? 0,
    rows: ({ beforeId, sql }) =>
      readReconciliations(
        scope,
        `${filter} ${beforeId === undefined ? '' : `and n.id < $${parameters.length + 2}::uuid`}
         order by n.id desc ${sql}`,
        beforeId === undefined ? parameters : [...parameters, beforeId],
      ),
  });
}

/**
 * Changes a reconciliation. Datasets may be added, and taken out while no group has held; keys and sign are fixed once
 * one has.
 * @throws AppError reconciliation_not_found, validation_error, conflict
 */
export async function updateReconciliation(
  scope: TenantScope,
  id: string,
  change: ReconciliationChange,
): Promise<Reconciliation> {
  return keepingName(() =>
    scope.transaction(async (s) => {
      const current = await lockReconciliation(s, id);
      const draft = await draftOf(s, { ...current, ...change } as NewReconciliation, current, change);
      assertUnfixed(current, draft);
      await s.db.execute(
        `update reconciliations
            set name = $3, timezone = $4, accept = $5, amount_sign = $6, triggers = $7::jsonb, archived = $8,
                amount_key_left = $9, amount_key_right = $10, date_key_left = $11, date_key_right = $12,
                currency_key_left = $13, currency_key_right = $14, next_run_at = $15::timestamptz,
                approval_above = $16::numeric, refusals = 0, refused_until = null, refusal = null, updated_at = now()
          where tenant_id = $1::uuid and id = $2::uuid`,
        [s.tenantId, id, ...valuesOf(draft)],
      );
      await s.db.execute(
        `delete from reconciliation_passes where tenant_id = $1::uuid and reconciliation_id = $2::uuid`,
        [s.tenantId, id],
      );
      await writePasses(s, id, draft.ruleSetIds);
      const readsAgain =
        JSON.stringify([current.keys, current.timezone]) !== JSON.stringify([draft.keys, draft.timezone]);
      await changeDatasets(s, current, draft, readsAgain);
      const made = await getReconciliation(s, id);
      await recordAudit(s, {
        action: 'reconciliation.update',
        object: { type: 'reconciliation', id },
        before: auditedReconciliation(current),
        after: auditedReconciliation(made),
      });
      await enqueueFill(s, id);
      return made;
    }),
  );
}

/** @throws AppError reconciliation_not_found; reconciliation_in_use once a group has held */
export async function deleteReconciliation(scope: TenantScope, id: string): Promise<void> {
  await scope.transaction(async (s) => {
    const current = await lockReconciliation(s, id);
    if (current.heldOnce) {
      throw new AppError(
        'reconciliation_in_use',
        'Groups of the reconciliation were held: archive it with PATCH {"archived": true}',
      );
    }
    await s.db.execute(`delete from reconciliations where tenant_id = $1::uuid and id = $2::uuid`, [s.tenantId, id]);
    // The items last: each leaves a version.
    for (const table of ['reconciliation_items', 'reconciliation_item_versions']) {
      await s.db.execute(`delete from ${table} where tenant_id = $1::uuid and reconciliation_id = $2::uuid`, [
        s.tenantId,
        id,
      ]);
    }
    await forgetTotals(s.db, s.tenantId, id);
    await recordAudit(s, {
      action: 'reconciliation.delete',
      object: { type: 'reconciliation', id },
      before: auditedReconciliation(current),
    });
  });
}

async function draftOf(
  scope: TenantScope,
  input: NewReconciliation & { archived?: boolean | undefined },
  current: Reconciliation | undefined,
  change: ReconciliationChange = input,
): Promise<Draft> {
  const datasetIds = {
    left: lower(change.leftDatasetIds ?? current?.datasetIds.left ?? []),
    right: lower(change.rightDatasetIds ?? current?.datasetIds.right ?? []),
  };
  const faults = await datasetFaults(scope, datasetIds);
  const ruleSetIds = lower(change.ruleSetIds ?? current?.ruleSetIds ?? []);
  const passes = await readPasses(scope, ruleSetIds, { reconciliationId: current?.id, faults });
  const defaults = current?.keys ?? (passes[0] ? defaultKeys(passes[0].params) : noKeys);
  const key = (given: KeyInput, fallback: string | null): string | null => (given === undefined ? fallback : given);
  const keys: Record<Side, ItemKeys> = {
    left: {
      amount: key(change.amountKeyLeft, defaults.left.amount),
      date: key(change.dateKeyLeft, defaults.left.date),
      currency: key(change.currencyKeyLeft, defaults.left.currency),
    },
    right: {
      amount: key(change.amountKeyRight, defaults.right.amount),
      date: key(change.dateKeyRight, defaults.right.date),
      currency: key(change.currencyKeyRight, defaults.right.currency),
    },
  };
  for (const kind of ['amount', 'currency'] as const) {
    if ((keys.left[kind] === null) === (keys.right[kind] === null)) continue;
    const path = `/${kind}Key${keys.left[kind] === null ? 'Left' : 'Right'}`;
    faults.push({ path, code: 'one_side', message: `must be given for both sides, or be null for both` });
  }
  const timezone = change.timezone ?? current?.timezone ?? 'UTC';
  if (!isTimezone(timezone)) {
    faults.push({ path: '/timezone', code: 'timezone', message: 'must be a time zone such as Europe/Berlin' });
  }
  const triggers = change.triggers ?? current?.triggers ?? {};
  faults.push(...triggerFaults(triggers));
  const amountSign = change.amountSign ?? current?.amountSign ?? 'same';
  const sent = change.approvalAbove === undefined ? current?.approvalAbove : change.approvalAbove;
  const approvalAbove = readApprovalAbove(sent ?? null, keys, faults);
  const frame = { datasetIds, keys, amountSign };
  for (const pass of passes) {
    faults.push(...passFaults(pass, frame, `/ruleSetIds/${ruleSetIds.indexOf(pass.id)}`));
  }
  if (faults.length > 0) throw invalid(faults);
  return {
    name: change.name ?? current?.name ?? '',
    datasetIds,
    ruleSetIds,
    timezone,
    accept: change.accept ?? current?.accept ?? 'auto',
    keys,
    amountSign,
    approvalAbove,
    triggers,
    archived: change.archived ?? current?.archived ?? false,
  };
}

const lower = (ids: readonly string[]): string[] => ids.map((id) => id.toLowerCase());
const noKeys: Record<Side, ItemKeys> = {
  left: { amount: null, date: null, currency: null },
  right: { amount: null, date: null, currency: null },
};

async function datasetFaults(scope: TenantScope, ids: Record<Side, readonly string[]>): Promise<FieldError[]> {
  const all = [...ids.left, ...ids.right];
  const rows = await scope.db.query<{ id: string }>(
    `select id::text as id from datasets where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [scope.tenantId, all],
  );
  const known = new Set(rows.map(({ id }) => id));
  const seen = new Set<string>();
  const faults: FieldError[] = [];
  for (const side of ['left', 'right'] as const) {
    ids[side].forEach((id, i) => {
      const path = `/${side}DatasetIds/${i}`;
      if (!known.has(id)) faults.push({ path, code: 'unknown_dataset', message: 'names no dataset' });
      else if (seen.has(id)) {
        faults.push({ path, code: 'duplicate', message: 'is given twice: a dataset belongs to one side' });
      }
      seen.add(id);
    });
  }
  return faults;
}

/** Reads the rule sets, and locks them against changes until the transaction ends. */
async function readPasses(
  scope: TenantScope,
  ids: readonly string[],
  { reconciliationId, faults }: { reconciliationId: string | undefined; faults: FieldError[] },
): Promise<RuleSet[]> {
  const listed = await listedRuleSetsById(scope, ids);
  const taken = await scope.db.query<{ id: string; other: string }>(
    `select rule_set_id::text as id, reconciliation_id::text as other from reconciliation_passes
      where tenant_id = $1::uuid and rule_set_id = any($2::uuid[]) and reconciliation_id is distinct from $3::uuid`,
    [scope.tenantId, ids, reconciliationId ?? null],
  );
  const others = new Map(taken.map(({ id, other }) => [id, other]));
  const seen = new Set<string>();
  ids.forEach((id, i) => {
    const path = `/ruleSetIds/${i}`;
    const other = others.get(id);
    if (!listed.has(id)) faults.push({ path, code: 'unknown_rule_set', message: 'names no rule set' });
    else if (seen.has(id)) faults.push({ path, code: 'duplicate', message: 'is given twice' });
    else if (other !== undefined) {
      faults.push({ path, code: 'pass_of_another', message: `rule set ${id} is a pass of reconciliation ${other}` });
    }
    seen.add(id);
  });
  return listedRuleSets(
    scope,
    ids.flatMap((id) => listed.get(id) ?? []),
  );
}

const valuesOf = ({
  name,
  timezone,
  accept,
  amountSign,
  approvalAbove,
  triggers,
  archived,
  keys,
}: Draft): SqlParameter[] => [
  name,
  timezone,
  accept,
  amountSign,
  JSON.stringify(triggers),
  archived,
  keys.left.amount,
  keys.right.amount,
  keys.left.date,
  keys.right.date,
  keys.left.currency,
  keys.right.currency,
  nextRunOf(triggers, new Date()),
  approvalAbove,
];

async function writePasses({ db, tenantId }: TenantScope, id: string, ruleSetIds: readonly string[]): Promise<void> {
  await db.execute(
    `insert into reconciliation_passes (tenant_id, reconciliation_id, rule_set_id, position)
     select $1::uuid, $2::uuid, p.id, p.position - 1 from unnest($3::uuid[]) with ordinality p (id, position)`,
    [tenantId, id, ruleSetIds],
  );
}

/**
 * Adds datasets. The lock waits for transactions that write records of them: those that begin later see the
 * reconciliation and add their own items.
 */
async function addDatasets(
  { db, tenantId }: TenantScope,
  id: string,
  added: Record<Side, readonly string[]>,
): Promise<void> {
  const all = [...added.left, ...added.right];
  await db.query(`select 1 from datasets where tenant_id = $1::uuid and id = any($2::uuid[]) order by id for update`, [
    tenantId,
    all,
  ]);
  for (const [side, ids] of [added.left, added.right].entries()) {
    await db.execute(
      `insert into reconciliation_datasets (tenant_id, reconciliation_id, dataset_id, side, position)
       select $1::uuid, $2::uuid, d.id, $4::smallint, d.position
         from unnest($3::uuid[]) with ordinality d (id, position)`,
      [tenantId, id, ids, side],
    );
  }
}

/** @param readsAgain the items of all datasets are read again, because keys or time zone have changed */
async function changeDatasets(
  scope: TenantScope,
  current: Reconciliation,
  draft: Draft,
  readsAgain: boolean,
): Promise<void> {
  const { db, tenantId } = scope;
  const sideOf = ({ left, right }: Record<Side, readonly string[]>): Map<string, Side> =>
    new Map([...left.map((id) => [id, 'left'] as const), ...right.map((id) => [id, 'right'] as const)]);
  const before = sideOf(current.datasetIds);
  const after = sideOf(draft.datasetIds);
  const gone = [...before].filter(([id, side]) => after.get(id) !== side).map(([id]) => id);
  const added = [...after].filter(([id, side]) => before.get(id) !== side);
  const forgotten = readsAgain ? [...before.keys()] : gone;
  await db.execute(
    `delete from reconciliation_items
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and dataset_id = any($3::uuid[])`,
    [tenantId, current.id, forgotten],
  );
  await db.execute(
    `delete from reconciliation_datasets
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid and dataset_id = any($3::uuid[])`,
    [tenantId, current.id, gone],
  );
  if (readsAgain) {
    await db.execute(
      `update reconciliation_datasets set filled = false, filled_to = null
        where tenant_id = $1::uuid and reconciliation_id = $2::uuid`,
      [tenantId, current.id],
    );
  }
  await addDatasets(scope, current.id, {
    left: added.flatMap(([id, side]) => (side === 'left' ? [id] : [])),
    right: added.flatMap(([id, side]) => (side === 'right' ? [id] : [])),
  });
}

function assertUnfixed(current: Reconciliation, draft: Draft): void {
  if (!current.heldOnce) return;
  const refuse = (path: string, what: string): never => {
    throw new AppError('conflict', `${path} is fixed once a group has held: ${what}`, {
      errors: [{ path, code: 'fixed', message: what }],
    });
  };
  for (const side of ['left', 'right'] as const) {
    for (const kind of ['amount', 'date', 'currency'] as const) {
      if (current.keys[side][kind] !== draft.keys[side][kind])
        refuse(`/${kind}Key${side === 'left' ? 'Left' : 'Right'}`, 'create another reconciliation for other keys');
    }
    if (current.datasetIds[side].some((id) => !draft.datasetIds[side].includes(id)))
      refuse(`/${side}DatasetIds`, 'datasets can only be added');
  }
  if (current.amountSign !== draft.amountSign) refuse('/amountSign', 'create another reconciliation for another sign');
  if (current.timezone !== draft.timezone) refuse('/timezone', 'days of held records depend on it');
}

async function keepingName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', 'A reconciliation with this name exists');
    throw error;
  }
}

async function enqueueFill({ db, queue, tenantId }: TenantScope, reconciliationId: string): Promise<void> {
  await db.afterCommit(() =>
    queue.enqueue('reconciliation.fill', { tenantId, reconciliationId }, { jobId: `fill-${reconciliationId}` }),
  );
}
