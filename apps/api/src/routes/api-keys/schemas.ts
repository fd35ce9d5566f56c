import { Type } from '@sinclair/typebox';
import { scopes } from '@tieout/domain';
import { closed, nullable, textEnum, timestamp, uuid } from '../../http';

const apiKey = {
  id: uuid(),
  label: Type.String(),
  scopes: Type.Array(textEnum(scopes), { description: '[] = everything that the tenant may do; write implies read' }),
  active: Type.Boolean({ description: 'false once the key is revoked' }),
  created_at: timestamp(),
  prefix: Type.String({ description: 'The beginning of the key' }),
  last4: Type.String({ description: 'The last four characters of the key' }),
  last_used_at: nullable(timestamp(), { description: 'To the minute' }),
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
};

export const apiKeySchema = closed(apiKey, {
  $id: 'ApiKey',
  description: 'A key as it can be shown at any time',
  examples: [example],
});

export const createdApiKeySchema = closed(
  { ...apiKey, key: Type.String({ description: 'The key itself: shown in this answer alone' }) },
  {
    $id: 'CreatedApiKey',
    examples: [{ ...example, key: 'rk_0D3xWq8ZpLk2mN7aB_5hV0cT9yR2uJ6eK1sG4fA8bX3dM7nQ0wZ5pL2tY9vC6iq7Zx' }],
  },
);

export const createApiKeyBody = closed(
  {
    label: Type.String({ minLength: 1 }),
    scopes: Type.Array(textEnum(scopes), { default: [], maxItems: 100 }),
  },
  { examples: [{ label: 'ERP import', scopes: ['records:write'] }] },
);
