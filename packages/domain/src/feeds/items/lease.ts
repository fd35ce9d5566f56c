import { messageOf, newId, type Logger, type Queries } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { enqueueStep } from './enqueue';
import { emitItemEvents, type ItemEvent } from './item-events';
import { isReadable } from './parameters';
import type { ItemState, RunningItem, Transition } from './transition';

/** How long an item whose worker is gone stays untouched, and how often a worker says that it is there. */
const leaseSeconds = 15;
const renewEveryMs = 5_000;
/** A queue job that comes a little early by the clock of the database is in time. */
const earlySeconds = 0.5;
/** Items of one tenant that are worked on at a time: the rest of the workers is for others. */
const mostOfTenant = 8;

const heldOf = (tenantId: string): string =>
  `select count(*)::int from items o where o.tenant_id = ${tenantId}::uuid and o.lease_token is not null and o.lease_until > now()`;

/** How long a step of a tenant is to wait for the others of the tenant. */
export async function waitForTurnMs(db: Queries, tenantId: string): Promise<number> {
  const [row] = await db.query<{ held: number }>(`select (${heldOf('$1')}) as held`, [tenantId]);
  return (row?.held ?? 0) < mostOfTenant ? 0 : 500;
}

/** An item that this process works on. */
export interface HeldItem extends RunningItem {
  id: string;
  connectorId: string;
  clientUserId: string | null;
  origin: string;
  /** Set while the provider may have made it and its id there is not known. */
  creationKey: string | null;
  /** Encrypted. */
  parameters: string | null;
  leaseToken: string;
}

/** The item was deleted, changed by its tenant, or taken up by another worker: what is at hand must not be written. */
export class LeaseLostError extends Error {}

/**
 * Takes an item up if a step of it is due, nobody works on it, and its parameters are under one of these keys. One that rests begins
 * a run. Undefined: there is nothing to do, or it is not its turn; a sweep looks again.
 */
export async function claimItem(
  scope: TenantScope,
  itemId: string,
  keyIds: readonly string[],
): Promise<HeldItem | undefined> {
  const [item] = await scope.db.query<HeldItem>(
    `update items i
        set lease_token = $3::uuid, lease_until = now() + make_interval(secs => ${leaseSeconds}), attempts = i.attempts + 1,
            creation_key = case when i.step = 'create' then coalesce(i.creation_key, $3::uuid) else i.creation_key end,
            status = case when resting then 'UPDATING' else i.status end,
            execution_status = case when resting then 'LOGIN_IN_PROGRESS' else i.execution_status end,
            started_at = case when resting then now() else i.started_at end,
            logged_in = i.logged_in and not resting,
            error = case when resting then null else i.error end,
            updated_at = case when resting then now() else i.updated_at end
       from (select id, status in ('UPDATED', 'OUTDATED') as resting from items i
              where tenant_id = $1::uuid and id = $2::uuid and due_at <= now() + make_interval(secs => ${earlySeconds})
                and (lease_until is null or lease_until < now()) and ${isReadable('$4')}
                and (${heldOf('$1')}) < ${mostOfTenant}
              for update skip locked) due
      where i.id = due.id
     returning i.id::text as id, i.connector_id as "connectorId", i.client_user_id as "clientUserId", i.origin, i.parameters, i.creation_key::text as "creationKey",
       i.status, i.execution_status as "executionStatus", i.error, i.parameter, i.user_action as "userAction", i.waits_until as "waitsUntil",
       i.consent_expires_at as "consentExpiresAt", i.provider_item_id as "providerItemId", i.logged_in as "loggedIn", i.step,
       i.started_at as "startedAt", i.attempts, now() as at, i.lease_token::text as "leaseToken"`,
    [scope.tenantId, itemId, newId(), keyIds],
  );
  return item;
}

/** Keeps an item while it is worked on. `signal` aborts when it is lost. */
export function keepLease(
  scope: TenantScope,
  { id, leaseToken }: HeldItem,
  logger: Logger,
): { signal: AbortSignal; end: () => void } {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    const kept = await scope.db.execute(
      `update items set lease_until = now() + make_interval(secs => ${leaseSeconds}) where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid`,
      [scope.tenantId, id, leaseToken],
    );
    if (kept === 0) lost.abort(new LeaseLostError('the item is no longer held'));
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) => logger.warn({ reason: messageOf(error) }, 'could not renew the hold on an item'));
  }, renewEveryMs);
  return { signal: lost.signal, end: () => clearInterval(timer) };
}

/** Gives an item back as it is, for another worker to take up. */
export async function handBack(scope: TenantScope, { id, leaseToken }: HeldItem): Promise<void> {
  await scope.db.execute(
    `update items set lease_token = null, lease_until = null, attempts = attempts - 1
      where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid`,
    [scope.tenantId, id, leaseToken],
  );
}

/**
 * Takes the row of a held item until the transaction ends, and raises its counters. Returns them as they are then.
 * @throws LeaseLostError
 */
export async function lockHeld(
  tx: TenantScope,
  { id, leaseToken }: HeldItem,
  raise: { events: number; changes: number },
): Promise<{ sequence: number; changeNo: number }> {
  const [row] = await tx.db.query<{ sequence: number; changeNo: number }>(
    `update items set sequence = sequence + $4::int, change_no = change_no + $5::int
      where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid returning sequence, change_no::float8 as "changeNo"`,
    [tx.tenantId, id, leaseToken, raise.events, raise.changes],
  );
  if (!row) throw new LeaseLostError('the item is no longer held');
  return row;
}

interface StateWrite {
  state: ItemState;
  events: readonly ItemEvent[];
  /** Encrypted parameters that have not reached the provider yet are kept, and the key that it may have made the item under. */
  keepParameters: boolean;
}

/** Stores where an item has come to, in the middle of a turn. @throws LeaseLostError */
export function writeState(scope: TenantScope, item: HeldItem, write: StateWrite): Promise<void> {
  return scope.transaction(async (tx) => void (await storeState(tx, item, write)));
}

export interface TurnEnd extends StateWrite {
  dueInMs: Transition['dueInMs'];
  /** Something was achieved: failures are counted anew. */
  achieved: boolean;
  /** Set when data were collected: the accounts that there are. */
  accounts?: readonly { id: string; type: string }[];
}

/** Stores where a turn has led, gives the item back and has the next step taken. @throws LeaseLostError */
export function endTurn(scope: TenantScope, item: HeldItem, end: TurnEnd): Promise<void> {
  return scope.transaction(async (tx) => {
    await storeState(tx, item, end);
    const [row] = await tx.db.query<{ revision: number }>(
      `update items
          set due_at = now() + make_interval(secs => $4::float8 / 1000), attempts = case when $5 then 0 else attempts end,
              accounts = coalesce($6::jsonb, accounts), last_updated_at = case when $6 is null then last_updated_at else now() end,
              revision = revision + 1, lease_token = null, lease_until = null
        where tenant_id = $1::uuid and id = $2::uuid and lease_token = $3::uuid returning revision`,
      [
        tx.tenantId,
        item.id,
        item.leaseToken,
        end.dueInMs,
        end.achieved,
        end.accounts ? JSON.stringify(end.accounts) : null,
      ],
    );
    const { dueInMs } = end;
    if (row && dueInMs !== null && dueInMs <= soonMs)
      await tx.db.afterCommit(() => enqueueStep(tx, { id: item.id, revision: row.revision }, dueInMs));
  });
}

/** What is due later than this is left to the sweep. */
const soonMs = 60_000;

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

async function storeState(
  tx: TenantScope,
  item: HeldItem,
  { state, events, keepParameters }: StateWrite,
): Promise<void> {
  const { sequence } = await lockHeld(tx, item, { events: events.length, changes: 0 });
  await tx.db.execute(
    `update items
        set status = $3, execution_status = $4, error = $5::jsonb, parameter = $6::jsonb, user_action = $7::jsonb, waits_until = $8::timestamptz,
            consent_expires_at = $9::timestamptz, provider_item_id = $10, logged_in = $11, step = $12,
            creation_key = case when $13 and $10::text is null then creation_key end,
            parameters = case when $13 then parameters end, updated_at = case when status = $3 and execution_status = $4 then updated_at else now() end
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
