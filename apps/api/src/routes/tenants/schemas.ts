import { Type } from '@sinclair/typebox';
import { closed, timestamp, uuid } from '../../http';

export const tenantSchema = closed(
  { id: uuid(), name: Type.String(), created_at: timestamp() },
  {
    $id: 'Tenant',
    description: 'The owner of data sources, datasets, records, rule sets, jobs and keys',
    examples: [{ id: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10', name: 'Acme', created_at: '2026-09-15T08:30:00.000Z' }],
  },
);

export const createTenantBody = closed(
  {
    name: Type.String({ minLength: 1 }),
    id: Type.Optional(uuid({ description: 'Made by the service when absent' })),
  },
  { examples: [{ name: 'Acme' }] },
);
