import { extendContext, newId } from '@tieout/infra';
import { ensureDataset } from '../datasets';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import { enqueueProcessing } from './enqueue';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';
import { loadFieldsSeen } from './fields';
import { compareExternalIds, identityNeedsExpressions, identityOf, maxExternalIdLength } from './identify';
import { identityTooLong } from './ingest';
import { maxNormalisedCharacters, recordNormaliser } from './normalise';

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

/** Lines of datasets with more fields are left to workers: a batch of them would delay other requests. */
const maxFieldsInPlace = 100;

/** JSON texts of the normalised values or of the error; the others are ''. A row with neither is left to a worker. */
interface Outcome {
  fields: string;
  error: string;
}

interface PendingRow extends Outcome {
  id: string;
  externalId: string | null;
  data: string;
}

const unprocessed: Outcome = { fields: '', error: '' };

/**
 * Stores the valid lines of a bulk request in one transaction. Among lines with the same external id, the last one
 * wins and takes the place of the first. Lines that need no expression are normalised before they are stored, which
 * saves a second write of each; the others are stored as received.
 */
export async function ingestBulk(
  scope: TenantScope,
  dataset: string,
  batches: AsyncIterable<BulkLine[]>,
): Promise<BulkResult> {
  const seen = await loadFieldsSeen(scope, { name: dataset });
  const rows = new RowCollector(scope, seen.fields);
  for await (const batch of batches) await rows.add(batch);
  const pending = rows.sorted();
  if (pending.length > 0) {
    await scope.transaction(async (tx) => {
      const { id, version } = await lockDataset(tx, dataset);
      const isSame = version === seen.version && (seen.datasetId === null || seen.datasetId === id);
      if (!isSame) for (const row of pending) Object.assign(row, unprocessed);
      const received: string[] = [];
      for (const slice of slices(pending)) received.push(...(await insertRows(tx, id, slice)));
      await enqueueProcessing(tx, received);
    });
    countNormalised(pending);
  }
  return rows.result;
}

function countNormalised(rows: readonly PendingRow[]): void {
  const count = (isMeant: (row: PendingRow) => boolean): number => rows.filter(isMeant).length;
  domainMetrics.add(
    'tieout_records_normalised_total',
    { status: 'ready' },
    count(({ fields }) => fields !== ''),
  );
  domainMetrics.add(
    'tieout_records_normalised_total',
    { status: 'failed' },
    count(({ error }) => error !== ''),
  );
}

class RowCollector {
  readonly result: BulkResult = { accepted: 0, rejected: 0, errors: [] };
  private readonly rows: PendingRow[] = [];
  private readonly byExternalId = new Map<string, PendingRow>();
  private readonly identity: readonly FieldDefinition[];
  private readonly needsExpressions: boolean;
  private readonly normaliser: ReturnType<typeof recordNormaliser> | undefined;
  private outcomeCharacters = 0;

  constructor(
    private readonly scope: TenantScope,
    fields: readonly FieldDefinition[],
  ) {
    this.identity = fields.filter((field) => field.isIdentity);
    this.needsExpressions = identityNeedsExpressions(this.identity);
    const isInPlace = fields.length <= maxFieldsInPlace && fields.every((field) => field.transformExpr === null);
    if (isInPlace) this.normaliser = recordNormaliser(fields);
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
      else this.accept({ externalId, data: JSON.stringify(line.body), ...(await this.outcomeOf(line.body)) });
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

  /** Normalises a line, unless that needs an expression or the outcomes so far fill their share of the memory. */
  private async outcomeOf(body: JsonObject): Promise<Outcome> {
    if (!this.normaliser || this.outcomeCharacters > maxNormalisedCharacters) return unprocessed;
    const { record } = await this.normaliser(body);
    const outcome =
      record.status === 'ready'
        ? { fields: JSON.stringify(record.fields), error: '' }
        : { fields: '', error: JSON.stringify(record.error) };
    this.outcomeCharacters += outcome.fields.length + outcome.error.length;
    return outcome;
  }

  private accept(sent: Omit<PendingRow, 'id'>): void {
    const { externalId } = sent;
    this.result.accepted++;
    const earlier = externalId === null ? undefined : this.byExternalId.get(externalId);
    if (earlier) {
      Object.assign(earlier, sent);
      return;
    }
    const row: PendingRow = { id: newId(), ...sent };
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
    const size = row.data.length + row.fields.length + row.error.length;
    if (slice.length > 0 && (slice.length === maxInsertRows || characters + size > maxInsertCharacters)) {
      yield slice;
      slice = [];
      characters = 0;
    }
    slice.push(row);
    characters += size;
  }
  if (slice.length > 0) yield slice;
}

interface LockedDataset {
  id: string;
  /** The version of its fields. */
  version: number;
}

/**
 * Locks the dataset until the commit: against deletion and steps of reprocessing, which take records in another order
 * than this transaction does, and against changes of its fields.
 */
async function lockDataset(tx: TenantScope, dataset: string): Promise<LockedDataset> {
  const lock = (): Promise<LockedDataset[]> =>
    tx.db.query<LockedDataset>(
      'select id, fields_version as version from datasets where tenant_id = $1::uuid and name = $2 for share',
      [tx.tenantId, dataset],
    );
  let rows = await lock();
  if (rows.length === 0) {
    await ensureDataset(tx, dataset);
    rows = await lock();
  }
  const [locked] = rows;
  if (!locked) throw new Error('the dataset was deleted while records were stored');
  extendContext({ datasetId: locked.id });
  return locked;
}

/**
 * Stores rows and returns the ids of those that a worker has to normalise; an existing record keeps its id. Texts
 * travel as one each, separated by line feeds, which none can hold: arrays of them cost this process three times the
 * CPU.
 */
async function insertRows(tx: TenantScope, datasetId: string, rows: readonly PendingRow[]): Promise<string[]> {
  const [answer] = await tx.db.query<{ ids: string[] | null }>(
    `with written as (
       insert into records (id, tenant_id, dataset_id, external_id, data, fields, error, status)
       select id, $1::uuid, $2::uuid, external_id, data::jsonb, fields::jsonb, error::jsonb,
              case when fields is not null then 'ready' when error is not null then 'failed' else 'received' end
       from unnest(string_to_array($3, E'\\n')::uuid[], $4::text[], string_to_array($5, E'\\n'),
                   string_to_array($6, E'\\n', ''), string_to_array($7, E'\\n', ''))
              as row (id, external_id, data, fields, error)
       on conflict (dataset_id, external_id) do update
         set data = excluded.data, file_id = null, fields = excluded.fields, status = excluded.status,
             error = excluded.error, revision = records.revision + 1, updated_at = now()
       returning id, status
     )
     select array_agg(id::text) as ids from written where status = 'received'`,
    [
      tx.tenantId,
      datasetId,
      joined(rows.map((r) => r.id)),
      rows.map((r) => r.externalId),
      joined(rows.map((r) => r.data)),
      joined(rows.map((r) => r.fields)),
      joined(rows.map((r) => r.error)),
    ],
  );
  return answer?.ids ?? [];
}

const joined = (texts: readonly string[]): string => texts.join('\n');
