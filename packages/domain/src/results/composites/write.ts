import {
  amountToNumber,
  memberSide,
  noDay,
  targetSide,
  type CompositionPool,
  type Proposal,
  type Side,
} from '@tieout/engine';
import {
  copyInto,
  idBytes,
  newIdBytes,
  queriesOn,
  readId,
  writeId,
  type BinaryCopyWriter,
  type PoolClient,
} from '@tieout/infra';
import { deliverEvents, eventBody, subscribedWebhooks, type EventType } from '../../events';

export interface CompositeOwner {
  tenantId: string;
  jobId: string;
  ruleSetId: string;
  ruleSetVersion: number;
}

/** The records that a job composes from, by row: their ids, 16 bytes each, and their facts. */
export interface ComposedRecords {
  ids: Record<Side, Buffer>;
  pool: CompositionPool;
}

/** Composites of records, and the signs that the amounts of each side have in the pool. */
type SignedRecords = ComposedRecords & { signs: Record<Side, 1 | -1> };

const compositeCreated = 'COMPOSITE_MATCH_CREATED' satisfies EventType;

/** A local constant: in loops the export getter of its package costs more. */
const bytesPerId: number = idBytes;

/** Days from 1970-01-01 to 2000-01-01, the epoch of PostgreSQL. */
const epochDays = 10_957;
const epochMs = epochDays * 86_400_000;

const compositeColumns = `id, tenant_id, job_id, rule_set_id, rule_set_version, direction, status,
  expected_member_count, score, decision, target_record_id, target_amount, composed_amount, amount_delta, explanation`;

/** The composites of one rule set of a job, to be stored. */
interface CompositesToWrite {
  client: PoolClient;
  owner: CompositeOwner;
  proposals: readonly Proposal[];
  records: SignedRecords;
  occurredAt: Date;
}

/**
 * Stores composites with their members and an event each, inside the transaction that completes the job. Their ids
 * ascend in the order given. Amounts have the signs of the records.
 */
export async function writeComposites(composites: CompositesToWrite): Promise<void> {
  const { client, proposals } = composites;
  if (proposals.length === 0) return;
  const ids = Buffer.alloc(proposals.length * bytesPerId);
  for (let i = 0; i < proposals.length; i++) newIdBytes(ids.subarray(i * bytesPerId, (i + 1) * bytesPerId));
  await writeRows(copyInto(client, 'composite_matches', compositeColumns), proposals, (copy, proposal, i) =>
    compositeRow(copy, composites, proposal, ids.subarray(i * bytesPerId, (i + 1) * bytesPerId)),
  );
  await writeMembers(composites, ids);
  await writeEvents(composites, ids);
}

const eventsPerStep = 10_000;

/** Writes an event for each composite, and its deliveries, where a webhook subscribes to it. */
async function writeEvents(composites: CompositesToWrite, compositeIds: Buffer): Promise<void> {
  const { client, owner, proposals } = composites;
  const db = queriesOn(client);
  const webhookIds = await subscribedWebhooks(db, owner.tenantId, compositeCreated);
  if (webhookIds.length === 0) return;
  const eventIds: string[] = [];
  await writeRows(
    copyInto(client, 'events', 'id, tenant_id, type, occurred_at, body'),
    proposals,
    (copy, proposal, i) => eventIds.push(eventRow(copy, composites, proposal, readId(compositeIds, i * bytesPerId))),
  );
  for (let i = 0; i < eventIds.length; i += eventsPerStep)
    await deliverEvents(db, owner.tenantId, eventIds.slice(i, i + eventsPerStep), webhookIds);
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
  { owner, records: { ids, pool } }: CompositesToWrite,
  proposal: Proposal,
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
  { client, owner, proposals, records: { ids, pool, signs } }: CompositesToWrite,
  compositeIds: Buffer,
): Promise<void> {
  const copy = copyInto(client, 'composite_members', 'composite_id, position, tenant_id, record_id, amount, day');
  const tenant = bytesOfId(owner.tenantId);
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
      copy.float8(amountToNumber(signs[side] * (pool[side].units[row] as number), pool.amountScale));
      if (day === noDay) copy.null();
      else copy.int4(day - epochDays);
      const full = copy.endRow();
      if (full) await full;
    }
  }
  await copy.end();
}

/** Writes an event and returns its id. */
function eventRow(
  copy: BinaryCopyWriter,
  { owner, occurredAt }: CompositesToWrite,
  proposal: Proposal,
  compositeMatchId: string,
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
