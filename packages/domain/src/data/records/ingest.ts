import { invalid, newId } from '@tieout/infra';
import { ensureDataset } from '../datasets';
import type { TenantScope } from '../../kernel/scope';
import { enqueueProcessing } from './enqueue';
import type { FieldDefinition, JsonObject, SentRecord, StoreOutcome } from '../../kernel/ports';
import { identityNeedsExpressions, identityOf, maxExternalIdLength } from './identify';
import type { RecordStatus } from './record';
import { storeRecords } from './store';

export interface IngestInput {
  /** Name of the dataset; it is created on first use. */
  dataset: string;
  externalId?: string;
  body: JsonObject;
}

export interface IngestedRecord {
  id: string;
  status: RecordStatus;
}

/**
 * Stores a record and enqueues its processing. A record with the same external id, given or computed from the dataset's
 * identity fields, is replaced.
 */
export async function ingestRecord(scope: TenantScope, input: IngestInput): Promise<IngestedRecord> {
  const { dataset, body } = input;
  const sent = { id: newId(), externalId: input.externalId ?? null, isIdentified: false, data: JSON.stringify(body) };
  let stored = await store(scope, dataset, sent);
  if (!stored) {
    await ensureDataset(scope, dataset);
    stored = await store(scope, dataset, sent);
  }
  if (stored && 'identity' in stored) {
    const externalId = await resolveIdentity(scope, stored.identity, body);
    stored = await store(scope, dataset, { ...sent, externalId, isIdentified: true });
  }
  if (!stored || !('id' in stored)) throw new Error('the dataset was deleted while a record was stored');
  return { id: stored.id, status: 'received' };
}

/** Stores the record in the current transaction, if any; else together with records of other requests. */
async function store(scope: TenantScope, dataset: string, record: SentRecord): Promise<StoreOutcome> {
  if (scope.storeInGroup) return scope.storeInGroup(scope.tenantId, dataset, record);
  const [stored] = await storeRecords(scope.db, dataset, [record]);
  if (stored && 'id' in stored) await enqueueProcessing(scope, [stored.id]);
  return stored;
}

async function resolveIdentity(
  scope: TenantScope,
  fields: FieldDefinition[],
  body: JsonObject,
): Promise<string | null> {
  const externalId = identityNeedsExpressions(fields)
    ? ((await scope.evaluator.identify({ fields, bodies: [body] }))[0] ?? null)
    : identityOf(fields, body);
  if (externalId !== null && externalId.length > maxExternalIdLength) throw invalid([identityTooLong('/body')]);
  return externalId;
}

export function identityTooLong(path: string): { path: string; code: string; message: string } {
  return {
    path,
    code: 'identity_too_long',
    message: `the identity fields give an external id of more than ${maxExternalIdLength} characters`,
  };
}
