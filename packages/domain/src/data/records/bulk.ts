import { extendContext, newId } from '@tieout/infra';
import { ensureDataset } from '../datasets';
import type { TenantScope } from '../../kernel/scope';
import { enqueueProcessing } from './enqueue';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';
import { loadIdentityFields } from './fields';
import { compareExternalIds, identityNeedsExpressions, identityOf, maxExternalIdLength } from './identify';
import { identityTooLong } from './ingest';

/** A line of a bulk request: a record, or the fault that was found. */
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
  /** The first rejected lines, up to `maxListedErrors`. */
  errors: LineError[];
}

export const maxListedErrors = 1000;

/** Max rows and characters of one insert: its parameters are copied several times on their way to the database. */
const maxInsertRows = 2000;
const maxInsertCharacters = 2 << 20;

interface PendingRow {
  id: string;
  externalId: string | null;
  data: string;
}

/**
 * Stores the valid lines of a bulk request in one transaction. Among lines with the same external id, the last one
 * wins and takes the place of the first.
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
      if (externalId !== null && externalId.length > maxExternalIdLength) this.reject(line.line, identityTooLong(''));
      else this.accept(externalId, JSON.stringify(line.body));
    }
  }

  /** Sorts by external id, which prevents deadlocks between two bulk requests. */
  sorted(): PendingRow[] {
    return this.rows.sort((a, b) => compareExternalIds(a.externalId, b.externalId));
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
    if (this.result.errors.length < maxListedErrors) {
      this.result.errors.push({ line, code: fault.code, message: fault.message });
    }
  }
}

function* slices(rows: readonly PendingRow[]): Generator<PendingRow[]> {
  let slice: PendingRow[] = [];
  let characters = 0;
  for (const row of rows) {
    if (slice.length > 0 && (slice.length === maxInsertRows || characters + row.data.length > maxInsertCharacters)) {
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
 * Locks the dataset until the commit, against deletion and steps of reprocessing: both take records in another order
 * than this transaction does.
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
  extendContext({ datasetId: id });
  return id;
}

/**
 * Stores rows and returns their ids; an existing record keeps its id. Ids and data travel as one text each, separated
 * by line feeds, which neither can hold: arrays of them cost this process three times the CPU.
 */
async function insertRows(tx: TenantScope, datasetId: string, rows: readonly PendingRow[]): Promise<string[]> {
  const [answer] = await tx.db.query<{ ids: string[] }>(
    `with written as (
       insert into records (id, tenant_id, dataset_id, external_id, data)
       select id, $1::uuid, $2::uuid, external_id, data::jsonb
       from unnest(string_to_array($3, E'\\n')::uuid[], $4::text[], string_to_array($5, E'\\n'))
              as row (id, external_id, data)
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
