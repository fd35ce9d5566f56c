import { messageOf, newId, type Logger, type Queries } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { enqueueStep } from './enqueue';
import { emitItemEvents, type ItemEvent } from './item-events';
import { isReadableSql } from './parameters';
import type { ItemState, RunningItem, Transition } from './transition';

/** An item whose worker has crashed stays untouched until its lease expires; living workers renew theirs. */
const leaseSeconds = 15;
const renewEveryMs = 5_000;
/** Accepts queue jobs that are a little early by the clock of the database. */
const earlySeconds = 0.5;
/** Max items of one tenant that are held at a time: the other slots are for other tenants. */
const maxHeldByTenant = 8;

const heldCountSql = (tenantId: string): string =>
  `select count(*)::int from items o
    where o.tenant_id = ${tenantId}::uuid and o.lease_token is not null and o.lease_until > now()`;

/** Returns how long a step waits because its tenant holds the maximum of items. */
export async function tenantDelayMs(db: Queries, tenantId: string): Promise<number> {
  const [row] = await db.query<{ held: number }>(`select (${heldCountSql('$1')}) as held`, [tenantId]);
  return (row?.held ?? 0) < maxHeldByTenant ? 0 : 500;
}

/** An item whose lease this process holds. */
export interface HeldItem extends RunningItem {
  id: string;
  connectorId: string;
  clientUserId: string | null;
  origin: string;
  /** Set while the provider may have created the item and its id there is unknown. */
  creationKey: string | null;
  /** Encrypted. */
  parameters: string | null;
  leaseToken: string;
}

/**
 * Thrown when the item was deleted, changed by its tenant, or claimed by another worker: nothing more may be written.
 */
export class LeaseLostError extends Error {}

/**
 * Claims an item if a step of it is due, no lease is held on it, and its parameters are under one of these keys. An
 * idle item begins a run. Undefined: nothing is due, or the tenant holds the maximum of items; a sweep enqueues the
 * step again.
 */
export async function claimItem(
  scope: TenantScope,
  itemId: string,
  keyIds: readonly string[],
): Promise<HeldItem | undefined> {
  const [item] = await scope.db.query<HeldItem>(
    `update items i
        set lease_token = $3::uuid, lease_until = now() + make_interval(secs => ${leaseSeconds}),
            attempts = i.attempts + 1,
            creation_key = case when i.step = 'create' then coalesce(i.creation_key, $3::uuid) else i.creation_key end,
            status = case when idle then 'UPDATING' else i.status end,
            execution_status = case when idle then 'LOGIN_IN_PROGRESS' else i.execution_status end,
            started_at = case when idle then now() else i.started_at end,
            logged_in = i.logged_in and not idle,
            error = case when idle then null else i.error end,
            updated_at = case when idle then now() else i.updated_at end
       from (select id, status in ('UPDATED', 'OUTDATED') as idle from items i
              where tenant_id = $1::uuid and id = $2::uuid and due_at <= now() + make_interval(secs => ${earlySeconds})
                and (lease_until is null or lease_until < now()) and ${isReadableSql('$4')}
                and (${heldCountSql('$1')}) < ${maxHeldByTenant}
              for update skip locked) due
      where i.id = due.id
     returning i.id::text as id, i.connector_id as "connectorId", i.client_user_id as "clientUserId", i.origin,
       i.parameters, i.creation_key::text as "creationKey", i.status, i.execution_status as "executionStatus", i.error,
       i.parameter, i.user_action as "userAction", i.waits_until as "waitsUntil",
       i.consent_expires_at as "consentExpiresAt", i.provider_item_id as "providerItemId", i.logged_in as "loggedIn",
       i.step, i.started_at as "startedAt", i.attempts, now() as at, i.lease_token::text as "leaseToken"`,
    [scope.tenantId, itemId, newId(), keyIds],
  );
  return item;
}

/** Renews the lease of an item until `end` is called. `signal` aborts when the lease is lost. */
export function keepLease(
  scope: TenantScope,
  { id, leaseToken }: HeldItem,
  logger: Logger,
): { signal: AbortSignal; end: () => void } {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    const kept = await scope.db.execute(
      `update items set lease_until = now() + make_interval(secs => ${leaseSeconds})
        where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid`,
      [scope.tenantId, id, leaseToken],
    );
    if (kept === 0) lost.abort(new LeaseLostError('the item is no longer held'));
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) => logger.warn({ reason: messageOf(error) }, 'could not renew the hold on an item'));
  }, renewEveryMs);
  return { signal: lost.signal, end: () => clearInterval(timer) };
}

/** Gives the lease of an item back, so that another worker may claim it at once. */
export async function handBack(scope: TenantScope, { id, leaseToken }: HeldItem): Promise<void> {
  await scope.db.execute(
    `update items set lease_token = null, lease_until = null, attempts = attempts - 1
      where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid`,
    [scope.tenantId, id, leaseToken],
  );
}

/**
 * Locks the row of a held item until the transaction ends, and raises its counters. Returns the raised counters.
 * @throws LeaseLostError
 */
export async function lockHeld(
  tx: TenantScope,
  { id, leaseToken }: HeldItem,
  raise: { events: number; changes: number },
): Promise<{ sequence: number; changeNo: number }> {
  const [row] = await tx.db.query<{ sequence: number; changeNo: number }>(
    `update items set sequence = sequence + $4::int, change_no = change_no + $5::int
      where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid
      returning sequence, change_no::float8 as "changeNo"`,
    [tx.tenantId, id, leaseToken, raise.events, raise.changes],
  );
  if (!row) throw new LeaseLostError('the item is no longer held');
  return row;
}

interface StateWrite {
  state: ItemState;
  events: readonly ItemEvent[];
  /** Keeps encrypted parameters that have not reached the provider, and the key it may have created the item under. */
  keepParameters: boolean;
}

/** Stores the state of an item in the middle of a step. @throws LeaseLostError */
export function writeState(scope: TenantScope, item: HeldItem, write: StateWrite): Promise<void> {
  return scope.transaction(async (tx) => void (await storeState(tx, item, write)));
}

export interface StepEnd extends StateWrite {
  dueInMs: Transition['dueInMs'];
  /** Resets the count of failures. */
  madeProgress: boolean;
  /** The accounts of the item, set when data were collected. */
  accounts?: readonly { id: string; type: string }[];
}

/** Stores the state after a step, gives the lease back, and enqueues the next step. @throws LeaseLostError */
export function endStep(scope: TenantScope, item: HeldItem, end: StepEnd): Promise<void> {
  return scope.transaction(async (tx) => {
    await storeState(tx, item, end);
    const [row] = await tx.db.query<{ revision: number }>(
      `update items
          set due_at = now() + make_interval(secs => $4::float8 / 1000),
              attempts = case when $5 then 0 else attempts end, accounts = coalesce($6::jsonb, accounts),
              last_updated_at = case when $6 is null then last_updated_at else now() end,
              revision = revision + 1, lease_token = null, lease_until = null
        where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid returning revision`,
      [
        tx.tenantId,
        item.id,
        item.leaseToken,
        end.dueInMs,
        end.madeProgress,
        end.accounts ? JSON.stringify(end.accounts) : null,
      ],
    );
    const { dueInMs } = end;
    if (row && dueInMs !== null && dueInMs <= maxEnqueueDelayMs)
      await tx.db.afterCommit(() => enqueueStep(tx, { id: item.id, revision: row.revision }, dueInMs));
  });
}

/** The sweep enqueues steps that are due later than this. */
const maxEnqueueDelayMs = 60_000;

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

async function storeState(
  tx: TenantScope,
  item: HeldItem,
  { state, events, keepParameters }: StateWrite,
): Promise<void> {
  const { sequence } = await lockHeld(tx, item, { events: events.length, changes: 0 });
  await tx.db.execute(
    `update items
        set status = $3, execution_status = $4, error = $5::jsonb, parameter = $6::jsonb, user_action = $7::jsonb,
            waits_until = $8::timestamptz, consent_expires_at = $9::timestamptz, provider_item_id = $10,
            logged_in = $11, step = $12,
            creation_key = case when $13 and $10::text is null then creation_key end,
            parameters = case when $13 then parameters end,
            updated_at = case when status = $3 and execution_status = $4 then updated_at else now() end
      where tenant_id = $1::uuid and id = $2::uuid`,
    [
      tx.tenantId,
      item.id,
      state.status,
      state.executionStatus,
      json(state.error),
      json(state.parameter),
      json(state.userAction),
      state.waitsUntil,
      state.consentExpiresAt,
      state.providerItemId,
      state.loggedIn,
      state.step,
      keepParameters,
    ],
  );
  await emitItemEvents(tx, item.id, sequence, events);
}
