import { Type, type Static } from '@sinclair/typebox';
import { listAudit, verifyAudit, type AuditEntry } from '@tieout/domain';
import {
  closed,
  count,
  defineRoute,
  freeForm,
  nullable,
  reply,
  tenantAccess,
  textEnum,
  timestamp,
  type Route,
} from '../../http';
import { actorSchema } from '../reconciliations/schemas';

const tag = 'Audit';

const entrySchema = closed(
  {
    seq: Type.Integer({ minimum: 1 }),
    at: timestamp(),
    actor: actorSchema,
    action: Type.String(),
    object: closed({ type: Type.String(), id: Type.String() }),
    before: nullable(freeForm()),
    after: nullable(freeForm()),
    reason: nullable(Type.String()),
    request_id: nullable(Type.String()),
    prev_hash: Type.String(),
    hash: Type.String({
      description: 'SHA-256, in hex, over prev_hash and the canonical JSON (RFC 8785) of the entry without hash',
    }),
  },
  { $id: 'AuditEntry' },
);

const present = (entry: AuditEntry): Static<typeof entrySchema> => ({
  seq: entry.seq,
  at: entry.at.toISOString(),
  actor: entry.actor,
  action: entry.action,
  object: entry.object,
  before: entry.before as Record<string, unknown> | null,
  after: entry.after as Record<string, unknown> | null,
  reason: entry.reason,
  request_id: entry.requestId,
  prev_hash: entry.prevHash,
  hash: entry.hash,
});

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

const list = defineRoute({
  method: 'get',
  path: '/v1/audit',
  operationId: 'listAudit',
  tag,
  summary: 'List what people and jobs did, newest first',
  access: tenantAccess('audit:read', 'whole'),
  query: closed({
    action: text,
    objectType: text,
    objectId: text,
    actorId: text,
    from: Type.Optional(timestamp({ description: 'Inclusive' })),
    to: Type.Optional(timestamp({ description: 'Exclusive' })),
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
  handler: async ({ scope, query: { limit, cursor, from, to, ...filter } }) => {
    const dates = {
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    const page = await listAudit(scope, { ...filter, ...dates }, { limit, cursor });
    return reply(200, { items: page.items.map(present), total: page.total, limit, next_cursor: page.nextCursor });
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

export const auditRoutes: readonly Route[] = [verify, list];
