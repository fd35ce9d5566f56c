import { newId } from '@tieout/infra';
import { ensureDataset } from '../datasets';
import type { TenantScope } from '../../kernel/scope';
import { enqueueProcessing } from './enqueue';
import type { FieldDefinition, JsonObject } from './field';
import { loadIdentityFields } from './field-store';
import { identityNeedsExpressions, identityOf, MAX_EXTERNAL_ID_LENGTH } from './identify';
import { identityTooLong } from './ingest';

/** A line of a bulk request: a record, or why it is none. */
export type BulkLine =
  { line: number; externalId: string | null; body: JsonObject } | { line: number; error: LineFault };

export interface LineFault {
  code: string;
  message: string;
}

export interface LineError extends LineFault {
  /** 1-based. */
  line: number;
}

export interface BulkResult {
  accepted: number;
  rejected: number;
  /** The first of the rejected lines. */
  errors: LineError[];
}

export const MAX_LISTED_ERRORS = 1000;

/** Rows and characters of one insert: its parameters are copied several times on their way out. */
const INSERT_ROWS = 2000;
const INSERT_CHARACTERS = 2 << 20;

interface PendingRow {
  id: string;
  externalId: string | null;
  data: string;
}

/**
 * Stores many records in one transaction: the good lines all go in, or none. The same external id twice:
 * the last line wins, in the place of the first.
 */
export async function ingestBulk(
  scope: TenantScope,
  dataset: string,
  batches: AsyncIterable<BulkLine[]>,
): Promise<BulkResult> {
  const rows = new RowCollector(scope, await loadIdentityFields(scope, dataset));
  for await (const batch of batches) await rows.add(batch);
  const pending = rows.sorted();
  if (pending.length > 0) {
    await scope.transaction(async (tx) => {
      const datasetId = await lockDataset(tx, dataset);
      const ids: string[] = [];
      for (const slice of slices(pending)) ids.push(...(await insertRows(tx, datasetId, slice)));
      await enqueueProcessing(tx, ids);
    });
  }
  return rows.result;
}

class RowCollector {
  readonly result: BulkResult = { accepted: 0, rejected: 0, errors: [] };
  private readonly rows: PendingRow[] = [];
  private readonly byExternalId = new Map<string, PendingRow>();
  private readonly needsExpressions: boolean;

  constructor(
    private readonly scope: TenantScope,
    private readonly identity: readonly FieldDefinition[],
  ) {
    this.needsExpressions = identityNeedsExpressions(identity);
  }

  async add(batch: readonly BulkLine[]): Promise<void> {
    const identities = this.needsExpressions ? await this.evaluate(batch) : undefined;
    for (const line of batch) {
      if ('error' in line) {
        this.reject(line.line, line.error);
        continue;
      }
      const externalId =
        line.externalId ?? (identities ? (identities.get(line.line) ?? null) : this.compute(line.body));
      if (externalId !== null && externalId.length > MAX_EXTERNAL_ID_LENGTH)
        this.reject(line.line, identityTooLong(''));
      else this.accept(externalId, JSON.stringify(line.body));
    }
  }

  /** By external id, so that two bulks never wait for each other's rows in a circle. */
  sorted(): PendingRow[] {
    return this.rows.sort((a, b) => compareIds(a.externalId, b.externalId));
  }

  private compute(body: JsonObject): string | null {
    return this.identity.length === 0 ? null : identityOf(this.identity, body);
  }

  private async evaluate(batch: readonly BulkLine[]): Promise<Map<number, string | null>> {
    const open = batch.flatMap((line) => ('error' in line || line.externalId !== null ? [] : [line]));
    if (open.length === 0) return new Map();
    const ids = await this.scope.evaluator.identify({ fields: this.identity, bodies: open.map((line) => line.body) });
    return new Map(open.map((line, i) => [line.line, ids[i] ?? null]));
  }

  private accept(externalId: string | null, data: string): void {
    this.result.accepted++;
    const earlier = externalId === null ? undefined : this.byExternalId.get(externalId);
    if (earlier) {
      earlier.data = data;
      return;
    }
    const row: PendingRow = { id: newId(), externalId, data };
    this.rows.push(row);
    if (externalId !== null) this.byExternalId.set(externalId, row);
  }

  private reject(line: number, fault: LineFault): void {
    this.result.rejected++;
    if (this.result.errors.length < MAX_LISTED_ERRORS) {
      this.result.errors.push({ line, code: fault.code, message: fault.message });
    }
  }
}

function compareIds(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

function* slices(rows: readonly PendingRow[]): Generator<PendingRow[]> {
  let slice: PendingRow[] = [];
  let characters = 0;
  for (const row of rows) {
    if (slice.length > 0 && (slice.length === INSERT_ROWS || characters + row.data.length > INSERT_CHARACTERS)) {
      yield slice;
      slice = [];
      characters = 0;
    }
    slice.push(row);
    characters += row.data.length;
  }
  if (slice.length > 0) yield slice;
}

/**
 * The lock keeps the dataset from being deleted and a re-processing step from running until the commit:
 * both take records in another order than this transaction does.
 */
async function lockDataset(tx: TenantScope, dataset: string): Promise<string> {
  const lock = (): Promise<{ id: string }[]> =>
    tx.db.query<{ id: string }>('select id from datasets where tenant_id = $1::uuid and name = $2 for share', [
      tx.tenantId,
      dataset,
    ]);
  let rows = await lock();
  if (rows.length === 0) {
    await ensureDataset(tx, dataset);
    rows = await lock();
  }
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the dataset was deleted while records were stored');
  return id;
}

/**
 * The ids under which the rows are stored; those of records that were there already are kept. Ids and data travel as
 * one text each, cut at line feeds, which neither can hold: arrays of them cost this process three times the CPU.
 */
async function insertRows(tx: TenantScope, datasetId: string, rows: readonly PendingRow[]): Promise<string[]> {
  const [answer] = await tx.db.query<{ ids: string[] }>(
    `with written as (
       insert into records (id, tenant_id, dataset_id, external_id, data)
       select id, $1::uuid, $2::uuid, external_id, data::jsonb
       from unnest(string_to_array($3, E'\\n')::uuid[], $4::text[], string_to_array($5, E'\\n')) as row (id, external_id, data)
       on conflict (dataset_id, external_id) do update
         set data = excluded.data, file_id = null, fields = null, status = 'received', error = null,
             revision = records.revision + 1, updated_at = now()
       returning id
     )
     select array_agg(id::text) as ids from written`,
    [
      tx.tenantId,
      datasetId,
      joined(rows.map((r) => r.id)),
      rows.map((r) => r.externalId),
      joined(rows.map((r) => r.data)),
    ],
  );
  return answer?.ids ?? [];
}

const joined = (texts: readonly string[]): string => texts.join('\n');
