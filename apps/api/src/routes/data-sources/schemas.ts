import { Type } from '@sinclair/typebox';
import { closed, timestamp, uuid } from '../../http';

export const dataSourceSchema = closed(
  {
    id: uuid(),
    name: Type.String(),
    kind: Type.String({ description: 'Free text; `api` is the source of datasets that records created on first use' }),
    created_at: timestamp(),
  },
  {
    $id: 'DataSource',
    examples: [
      { id: '01994e6c-3c20-7e55-8d13-7c2e4f6a8b32', name: 'ERP', kind: 'erp', created_at: '2026-09-15T08:32:00.000Z' },
    ],
  },
);

export const createDataSourceBody = closed(
  { name: Type.String({ minLength: 1 }), kind: Type.String({ minLength: 1 }) },
  { examples: [{ name: 'ERP', kind: 'erp' }] },
);
