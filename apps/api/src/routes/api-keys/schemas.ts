import { Type, type Static } from '@sinclair/typebox';
import { coerce, parseAddressRange, scopes, type ApiKey, type ApiKeyFilter, type IssuedApiKey } from '@tieout/domain';
import { invalid, isUuid, type FieldError } from '@tieout/infra';
import { closed, label, nullable, textEnum, timestamp, uuid } from '../../http';

const maxLabelLength = 200;
const maxScopes = 100;
const maxCidrs = 100;
const maxOverlapSeconds = 30 * 86_400;
const defaultOverlapSeconds = 3_600;

const scopeList = { description: '[] = everything that the tenant may do; write implies read' };

const creator = closed(
  {
    type: textEnum(['key', 'user', 'platform']),
    id: nullable(uuid(), { description: 'null: the platform key' }),
    label: Type.String(),
  },
  { $id: 'ApiKeyCreator' },
);

const apiKey = {
  id: uuid(),
  label: Type.String(),
  scopes: Type.Array(textEnum(scopes), scopeList),
  active: Type.Boolean({ description: 'false once the key is revoked or has expired' }),
  created_at: timestamp(),
  prefix: Type.String({ description: 'The beginning of the key' }),
  last4: Type.String({ description: 'The last four characters of the key' }),
  last_used_at: nullable(timestamp(), { description: 'Accurate to a minute' }),
  expires_at: nullable(timestamp(), { description: 'null: never' }),
  allowed_cidrs: Type.Array(Type.String(), { description: 'The addresses from which it works; []: all' }),
  created_by: nullable(creator, { description: 'null for keys that are older than this note' }),
  previous: nullable(
    closed({ prefix: Type.String(), last4: Type.String(), expires_at: timestamp() }, { $id: 'PreviousSecret' }),
    {
      description: 'The secret before the last rotation, while it is accepted',
    },
  ),
};

const example = {
  id: '01994e6c-2a10-7c44-9f02-6b1d3e5f7a21',
  label: 'ERP import',
  scopes: ['records:write'],
  active: true,
  created_at: '2026-09-15T08:31:00.000Z',
  prefix: 'rk_0D3xWq8ZpLk2mN7aB',
  last4: 'q7Zx',
  last_used_at: null,
  expires_at: '2027-09-15T00:00:00.000Z',
  allowed_cidrs: ['203.0.113.0/24'],
  created_by: { type: 'platform', id: null, label: 'Platform' },
  previous: null,
};

export const apiKeySchema = closed(apiKey, {
  $id: 'ApiKey',
  description: 'A key as it can be shown at any time',
  examples: [example],
});

export const createdApiKeySchema = closed(
  { ...apiKey, key: Type.String({ description: 'The key itself: shown in this answer only' }) },
  {
    $id: 'CreatedApiKey',
    examples: [{ ...example, key: 'rk_0D3xWq8ZpLk2mN7aB_5hV0cT9yR2uJ6eK1sG4fA8bX3dM7nQ0wZ5pL2tY9vC6iq7Zx' }],
  },
);

export const createApiKeyBody = closed(
  {
    label: label(maxLabelLength),
    scopes: Type.Optional(Type.Array(textEnum(scopes), { ...scopeList, default: [], maxItems: maxScopes })),
    expiresAt: Type.Optional(
      nullable(Type.String({ maxLength: 64 }), {
        description: 'When it stops working; RFC 3339 with a time zone, in the future. Default: never',
      }),
    ),
    allowedCidrs: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        default: [],
        maxItems: maxCidrs,
        description: 'The addresses from which it works: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32. Default: all',
      }),
    ),
  },
  { examples: [{ label: 'ERP import', scopes: ['records:write'], allowedCidrs: ['203.0.113.0/24'] }] },
);

export const rotateApiKeyBody = closed(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxOverlapSeconds,
        default: defaultOverlapSeconds,
        description: 'The time for which the present secret is still accepted; 0 for a leaked one',
      }),
    ),
  },
  { examples: [{ overlapSeconds: 3600 }] },
);

export const overlapOf = ({ overlapSeconds = defaultOverlapSeconds }: Static<typeof rotateApiKeyBody>): number =>
  overlapSeconds;

/**
 * Reads the expiry of a new key and the addresses from which it works.
 * @throws AppError validation_error for a time that is not in the future, or a text that is not a range of addresses
 */
export function readLimits({ expiresAt, allowedCidrs = [] }: Static<typeof createApiKeyBody>) {
  const faults: FieldError[] = [];
  const until = expiresAt == null ? null : readFuture(expiresAt, faults);
  const ranges = allowedCidrs.flatMap((text, i) => {
    const parsed = parseAddressRange(text);
    if ('range' in parsed) return [parsed.range];
    faults.push({ path: `/allowedCidrs/${i}`, code: 'address_range', message: parsed.fault });
    return [];
  });
  if (faults.length > 0) throw invalid(faults);
  return { expiresAt: until, allowedCidrs: ranges };
}

/** Matches a time with its zone: without one, each reader would take it for another moment. */
const withZone = /^\d{4}-\d{2}-\d{2}t.*(?:z|[+-]\d{2}:?\d{2})$/i;

function readFuture(text: string, faults: FieldError[]): Date | null {
  const instant = coerce('datetime', text);
  const date = withZone.test(text) && instant.kind === 'value' ? new Date(instant.value as string) : null;
  if (date === null) {
    faults.push({
      path: '/expiresAt',
      code: 'date_time',
      message: 'must be RFC 3339 with a zone: 2027-09-15T00:00:00Z',
    });
  } else if (date.getTime() <= Date.now()) {
    faults.push({ path: '/expiresAt', code: 'in_the_past', message: 'must be in the future' });
  }
  return date;
}

/** @throws AppError validation_error for a creator that is neither an id nor the platform key */
export function readCreatedBy({ createdBy }: { createdBy?: string }): ApiKeyFilter {
  if (createdBy === undefined) return {};
  if (createdBy !== 'platform' && !isUuid(createdBy)) {
    const message = 'must be the id of a key or user, or platform';
    throw invalid([{ path: '/query/createdBy', code: 'created_by', message }]);
  }
  return { createdBy: createdBy.toLowerCase() };
}

export const presentApiKey = (apiKey: ApiKey) => ({
  id: apiKey.id,
  label: apiKey.label,
  scopes: apiKey.scopes,
  active: apiKey.active,
  created_at: apiKey.createdAt.toISOString(),
  prefix: apiKey.prefix,
  last4: apiKey.last4,
  last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
  expires_at: apiKey.expiresAt?.toISOString() ?? null,
  allowed_cidrs: apiKey.allowedCidrs,
  created_by: apiKey.createdBy,
  previous: apiKey.previous && {
    prefix: apiKey.previous.prefix,
    last4: apiKey.previous.last4,
    expires_at: apiKey.previous.expiresAt.toISOString(),
  },
});

/** Presents a key with its text; no other answer holds that. */
export const presentIssued = ({ apiKey, text }: IssuedApiKey) => ({ ...presentApiKey(apiKey), key: text });
