import { Type, type Static } from '@sinclair/typebox';
import {
  type AuditEntry,
  type AuditFilter,
  csvOfTable,
  csvType,
  listAudit,
  readAudit,
  type TableColumn,
  type TableRow,
  verifyAudit,
} from '@tieout/domain';
import {
  closed,
  count,
  defineRoute,
  freeForm,
  nullable,
  ofRecords,
  reply,
  replyStream,
  seesRecords,
  tenantAccess,
  textEnum,
  timestamp,
  type Route,
} from '../../http';
import { actorSchema, actorTypes } from '../reconciliations/schemas';

const tag = 'Audit';

const entrySchema = closed(
  {
    seq: Type.Integer({ minimum: 1 }),
    at: timestamp(),
    actor: actorSchema,
    action: Type.String(),
    object: closed({ type: Type.String(), id: Type.String() }),
    before: ofRecords(nullable(freeForm({ description: 'What the action has changed, as it was' }))),
    after: ofRecords(nullable(freeForm({ description: 'The same as it is since' }))),
    reason: nullable(Type.String()),
    request_id: nullable(Type.String()),
    prev_hash: Type.String(),
    hash: Type.String({
      description: 'SHA-256, in hex, over prev_hash and the canonical JSON (RFC 8785) of the entry without hash',
    }),
  },
  { $id: 'AuditEntry' },
);

/** @param withRecords false: leaves out the change, which may name amounts and data of records */
const present = (entry: AuditEntry, withRecords: boolean): Static<typeof entrySchema> => ({
  seq: entry.seq,
  at: entry.at.toISOString(),
  actor: entry.actor,
  action: entry.action,
  object: entry.object,
  ...(withRecords
    ? {
        before: entry.before as Record<string, unknown> | null,
        after: entry.after as Record<string, unknown> | null,
      }
    : {}),
  reason: entry.reason,
  request_id: entry.requestId,
  prev_hash: entry.prevHash,
  hash: entry.hash,
});

const text = (description?: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...(description === undefined ? {} : { description }) }));

const filters = {
  action: text('Such as match_group.release'),
  objectType: text('Such as rule_set'),
  objectId: text(),
  actor: text('The person that x-actor named, else the id of the key or job'),
  actorType: Type.Optional(textEnum(actorTypes)),
  actorId: text('The id of the key or job, whomever x-actor named'),
  requestId: text(),
  from: Type.Optional(timestamp({ description: 'Inclusive' })),
  to: Type.Optional(timestamp({ description: 'Exclusive' })),
};

function filterOf({
  from,
  to,
  ...same
}: Omit<AuditFilter, 'from' | 'to'> & { from?: string; to?: string }): AuditFilter {
  return {
    ...same,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

const list = defineRoute({
  method: 'get',
  path: '/v1/audit',
  operationId: 'listAudit',
  tag,
  summary: 'List what people and jobs did, newest first',
  access: tenantAccess('audit:read', 'parts'),
  readsReplica: true,
  query: closed({
    ...filters,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  }),
  responses: {
    200: {
      description: 'A page of entries',
      schema: closed({
        items: Type.Array(entrySchema),
        total: Type.Integer(),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, principal, query: { limit, cursor, ...filter } }) => {
    const { items, total, nextCursor } = await listAudit(scope, filterOf(filter), { limit, cursor });
    const withRecords = seesRecords(principal);
    return reply(200, {
      items: items.map((entry) => present(entry, withRecords)),
      total: total ?? 0,
      limit,
      next_cursor: nextCursor,
    });
  },
});

const columns: TableColumn[] = [
  ...['seq', 'at', 'actor_type', 'actor_id', 'actor_label', 'action', 'object_type', 'object_id'],
  ...['before', 'after', 'reason', 'request_id', 'prev_hash', 'hash'],
].map((key) => ({ key, title: key, kind: key === 'seq' ? 'count' : 'text' }));

const jsonText = (value: object | null): string | null => value && JSON.stringify(value);

const rowOf = ({ seq, at, actor, action, object, before, after, ...rest }: AuditEntry): TableRow => [
  ...[seq, at.toISOString(), actor.type, actor.id, actor.label, action, object.type, object.id],
  ...[jsonText(before), jsonText(after), rest.reason, rest.requestId, rest.prevHash, rest.hash],
];

async function* rowsOf(pages: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<readonly TableRow[]> {
  for await (const entries of pages) yield entries.map(rowOf);
}

const exportCsv = defineRoute({
  method: 'get',
  path: '/v1/audit/export.csv',
  operationId: 'exportAudit',
  tag,
  summary: 'Export what people and jobs did as CSV, oldest first',
  description: 'All entries of the filters, streamed. Cells are those of the export of records; changes are JSON.',
  rateClass: 'bulk',
  access: tenantAccess('audit:read', 'whole'),
  readsReplica: true,
  query: closed(filters),
  responses: { 200: { description: 'The entries, streamed', contentType: csvType } },
  handler: ({ scope, query }) => {
    const pages = () => rowsOf(readAudit(scope, filterOf(query)));
    return replyStream(200, csvType, csvOfTable({ key: 'audit', title: 'Audit', columns, pages }), {
      'Content-Disposition': 'attachment; filename="audit.csv"',
    });
  },
});

const verify = defineRoute({
  method: 'get',
  path: '/v1/audit/verify',
  operationId: 'verifyAudit',
  tag,
  summary: 'Compute the hashes of the whole chain again',
  description: 'Compare the head with one that you kept: a chain that was rewritten as a whole has another one.',
  access: tenantAccess('audit:read', 'none'),
  readsReplica: true,
  responses: {
    200: {
      description: 'The outcome',
      schema: closed({
        valid: Type.Boolean(),
        entries: count('Entries up to the first that is broken'),
        head: nullable(closed({ seq: Type.Integer(), hash: Type.String() })),
        broken: nullable(
          closed({ seq: Type.Integer(), reason: textEnum(['missing', 'previous_hash', 'hash'] as const) }),
        ),
      }),
    },
  },
  handler: async ({ scope }) => {
    const { entries, head, broken } = await verifyAudit(scope);
    return reply(200, { valid: broken === null, entries, head, broken });
  },
});

export const auditRoutes: readonly Route[] = [verify, exportCsv, list];
