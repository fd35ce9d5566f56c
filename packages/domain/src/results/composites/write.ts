import {
  amountToNumber,
  memberSide,
  NO_DAY,
  targetSide,
  type CompositionPool,
  type Proposal,
  type Side,
} from '@tieout/engine';
import {
  copyIn,
  idBytes,
  newIdBytes,
  queriesOn,
  readId,
  writeId,
  type BinaryCopyWriter,
  type PoolClient,
} from '@tieout/infra';
import { deliverEvents, eventBody, webhooksWanting, type EventType } from '../../events';

export interface CompositeOwner {
  tenantId: string;
  jobId: string;
  ruleSetId: string;
  ruleSetVersion: number;
}

/** The records that a job composed of, by row: their ids, 16 bytes each, and what composition knows of them. */
export interface ComposedRecords {
  ids: Record<Side, Buffer>;
  pool: CompositionPool;
}

const compositeCreated = 'COMPOSITE_MATCH_CREATED' satisfies EventType;

/** Read in loops, where the getter of the package it comes from costs more. */
const bytesPerId: number = idBytes;

/** Days from 1970-01-01 to 2000-01-01, where dates of PostgreSQL begin. */
const epochDays = 10_957;
const epochMs = epochDays * 86_400_000;

const compositeColumns = `id, tenant_id, job_id, rule_set_id, rule_set_version, direction, status, expected_member_count, score, decision,
  target_record_id, target_amount, composed_amount, amount_delta, explanation`;

/**
 * Stores the composites of a job with their members and an event each, inside the transaction that completes the job.
 * Their ids ascend in the order given. Amounts have the signs of the records.
 */
export async function writeComposites(
  client: PoolClient,
  owner: CompositeOwner,
  proposals: readonly Proposal[],
  records: ComposedRecords,
  occurredAt: Date,
): Promise<void> {
  if (proposals.length === 0) return;
  const ids = Buffer.alloc(proposals.length * bytesPerId);
  for (let i = 0; i < proposals.length; i++) newIdBytes(ids.subarray(i * bytesPerId, (i + 1) * bytesPerId));
  await writeRows(copyIn(client, `composite_matches (${compositeColumns})`), proposals, (copy, proposal, i) =>
    compositeRow(copy, owner, proposal, records, ids.subarray(i * bytesPerId, (i + 1) * bytesPerId)),
  );
  await writeMembers(client, owner, proposals, records, ids);
  await writeEvents(client, owner, proposals, ids, occurredAt);
}

const eventsAtOnce = 10_000;

/** An event for each composite, and its deliveries. Nothing is written when nobody wants to know. */
async function writeEvents(
  client: PoolClient,
  owner: CompositeOwner,
  proposals: readonly Proposal[],
  compositeIds: Buffer,
  occurredAt: Date,
): Promise<void> {
  const db = queriesOn(client);
  const webhookIds = await webhooksWanting(db, owner.tenantId, compositeCreated);
  if (webhookIds.length === 0) return;
  const eventIds: string[] = [];
  await writeRows(copyIn(client, 'events (id, tenant_id, type, occurred_at, body)'), proposals, (copy, proposal, i) =>
    eventIds.push(eventRow(copy, owner, proposal, readId(compositeIds, i * bytesPerId), occurredAt)),
  );
  for (let i = 0; i < eventIds.length; i += eventsAtOnce)
    await deliverEvents(db, owner.tenantId, eventIds.slice(i, i + eventsAtOnce), webhookIds);
}

async function writeRows(
  copy: BinaryCopyWriter,
  proposals: readonly Proposal[],
  write: (copy: BinaryCopyWriter, proposal: Proposal, i: number) => unknown,
): Promise<void> {
  for (let i = 0; i < proposals.length; i++) {
    write(copy, proposals[i] as Proposal, i);
    const full = copy.endRow();
    if (full) await full;
  }
  await copy.end();
}

function compositeRow(
  copy: BinaryCopyWriter,
  owner: CompositeOwner,
  proposal: Proposal,
  { ids, pool }: ComposedRecords,
  id: Uint8Array,
): void {
  const { direction, target, targetUnits, composedUnits } = proposal;
  const amount = (value: number): void => copy.float8(amountToNumber(value, pool.amountScale));
  copy.beginRow(15);
  copy.bytes(id);
  for (const text of [owner.tenantId, owner.jobId, owner.ruleSetId]) copy.bytes(bytesOfId(text));
  copy.int4(owner.ruleSetVersion);
  copy.text(direction);
  copy.text(proposal.status);
  copy.int4(proposal.expectedMemberCount);
  copy.float8(proposal.score);
  copy.text(proposal.decision);
  copy.bytes(ids[targetSide[direction]], target * bytesPerId, (target + 1) * bytesPerId);
  amount(targetUnits);
  amount(composedUnits);
  amount(composedUnits - targetUnits);
  copy.jsonb(JSON.stringify(proposal.explanation));
}

async function writeMembers(
  client: PoolClient,
  { tenantId }: CompositeOwner,
  proposals: readonly Proposal[],
  { ids, pool }: ComposedRecords,
  compositeIds: Buffer,
): Promise<void> {
  const copy = copyIn(client, 'composite_members (composite_id, position, tenant_id, record_id, amount, day)');
  const tenant = bytesOfId(tenantId);
  for (let i = 0; i < proposals.length; i++) {
    const { direction, members } = proposals[i] as Proposal;
    const side = memberSide[direction];
    for (let position = 0; position < members.length; position++) {
      const row = members[position] as number;
      const day = pool[side].day[row] as number;
      copy.beginRow(6);
      copy.bytes(compositeIds, i * bytesPerId, (i + 1) * bytesPerId);
      copy.int4(position);
      copy.bytes(tenant);
      copy.bytes(ids[side], row * bytesPerId, (row + 1) * bytesPerId);
      copy.float8(amountToNumber(pool[side].units[row] as number, pool.amountScale));
      if (day === NO_DAY) copy.null();
      else copy.int4(day - epochDays);
      const full = copy.endRow();
      if (full) await full;
    }
  }
  await copy.end();
}

/** Returns the id of the event. */
function eventRow(
  copy: BinaryCopyWriter,
  owner: CompositeOwner,
  proposal: Proposal,
  compositeMatchId: string,
  occurredAt: Date,
): string {
  const id = Buffer.from(newIdBytes(new Uint8Array(idBytes)));
  const eventId = readId(id, 0);
  copy.beginRow(5);
  copy.bytes(id);
  copy.bytes(bytesOfId(owner.tenantId));
  copy.text(compositeCreated);
  copy.int8((occurredAt.getTime() - epochMs) * 1_000);
  copy.text(
    eventBody(
      compositeCreated,
      { eventId, occurredAt },
      {
        compositeMatchId,
        ruleSetId: owner.ruleSetId,
        matchingJobId: owner.jobId,
        decision: `COMPOSITE_${proposal.decision}`,
        status: proposal.status,
      },
    ),
  );
  return eventId;
}

function bytesOfId(text: string): Buffer {
  const bytes = Buffer.alloc(idBytes);
  writeId(bytes, 0, text);
  return bytes;
}
