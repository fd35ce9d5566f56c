import { Type } from '@sinclair/typebox';
import { executionStatuses, ingestStatuses, itemStatuses, type Item, type ItemIngest } from '@tieout/domain';
import { closed, failure, nullable, textEnum, timestamp, uuid } from '../../http';

const syncFailure = closed({ code: textEnum(executionStatuses), message: Type.String() });

const parameter = closed(
  {
    name: Type.String({ description: 'The key in the parameters of the answer' }),
    label: Type.String(),
    type: textEnum(['text', 'number', 'password', 'image']),
    data: nullable(Type.String({ description: 'The picture, where the question is one' })),
    expiresAt: timestamp(),
  },
  { $id: 'ItemParameter', description: 'Set while WAITING_USER_INPUT: the input for POST /v1/items/{id}/mfa' },
);

const userAction = closed(
  {
    type: textEnum(['app', 'qr', 'redirect']),
    instructions: Type.String(),
    url: nullable(Type.String({ description: 'The address to open, or to show as a QR code' })),
    expiresAt: timestamp(),
  },
  { $id: 'ItemUserAction', description: 'Set while WAITING_USER_ACTION: what the user has to do in another place' },
);

export const itemSchema = closed(
  {
    id: uuid(),
    connector_id: Type.String(),
    status: textEnum(itemStatuses),
    execution_status: textEnum(executionStatuses, {
      description: 'The progress of the running sync, or how the last one ended',
    }),
    client_user_id: nullable(Type.String()),
    products: Type.Array(Type.String()),
    error: nullable(syncFailure, { description: 'Why the last sync failed or is incomplete' }),
    user_action: nullable(userAction),
    parameter: nullable(parameter),
    consent_expires_at: nullable(timestamp()),
    next_sync_at: nullable(timestamp({ description: 'When the next scheduled sync starts' })),
    created_at: timestamp(),
    updated_at: timestamp(),
    last_updated_at: nullable(timestamp({ description: 'When its data were last collected' })),
  },
  {
    $id: 'Item',
    examples: [
      {
        id: '01994e6c-2a10-7c44-9f02-6b1d3e5f7a21',
        connector_id: 'sandbox',
        status: 'UPDATED',
        execution_status: 'SUCCESS',
        client_user_id: null,
        products: [],
        error: null,
        user_action: null,
        parameter: null,
        consent_expires_at: null,
        next_sync_at: '2026-09-15T20:31:00.000Z',
        created_at: '2026-09-15T08:30:58.000Z',
        updated_at: '2026-09-15T08:31:00.000Z',
        last_updated_at: '2026-09-15T08:31:00.000Z',
      },
    ],
  },
);

export const connectorsSchema = closed({
  items: Type.Array(
    closed(
      {
        id: Type.String({ description: 'The connectorId of POST /v1/items' }),
        name: Type.String(),
        parameters: Type.Array(
          closed({
            name: Type.String({ description: 'The key in parameters' }),
            label: Type.String(),
            required: Type.Boolean(),
            secret: Type.Boolean({ description: 'It is not shown while it is typed' }),
          }),
        ),
      },
      { $id: 'Connector' },
    ),
  ),
});

const parameters = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4096 }), {
  maxProperties: 50,
  description:
    'The input that the login of the connector needs. Encrypted, never returned, deleted once the provider has it',
});

export const createBody = closed(
  {
    connectorId: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The institution; a service without a provider of its own has one, sandbox',
    }),
    parameters,
    clientUserId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Your own id of its user' })),
    products: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 20,
        description: 'What the item is for; stored with it',
      }),
    ),
  },
  { examples: [{ connectorId: 'sandbox', parameters: { user: 'ok', password: 'any' } }] },
);

export const updateBody = closed(
  { parameters: Type.Optional(parameters) },
  {
    description: '{}: collect new data. With parameters: log in again',
    examples: [{}, { parameters: { user: 'ok', password: 'any' } }],
  },
);

export const answerBody = closed(
  { parameters: Type.Optional(parameters) },
  {
    description: 'The requested input by its name; {} when the user has done the requested action',
    examples: [{ parameters: { token: '123456' } }],
  },
);

export const itemFilter = {
  status: Type.Optional(textEnum(itemStatuses)),
  clientUserId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};

export const ingestBody = closed(
  {
    dataset: Type.String({ minLength: 1, description: 'Name of a dataset' }),
    accountIds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Absent: all accounts, credit cards included',
      }),
    ),
  },
  { examples: [{ dataset: 'bank_lines' }] },
);

export const ingestSchema = closed(
  {
    id: uuid(),
    item_id: uuid(),
    dataset_id: uuid(),
    dataset: Type.String(),
    account_ids: nullable(Type.Array(Type.String()), { description: 'null: all' }),
    status: textEnum(ingestStatuses, { description: 'failed: the import has ended, and error says why' }),
    error: nullable(failure),
    transactions: Type.Integer({ minimum: 0, description: 'All transactions' }),
    pending: Type.Integer({ minimum: 0, description: 'New and changed transactions that are not records yet' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  {
    $id: 'ItemIngest',
    description: 'An import of the transactions of an item into a dataset, now and after each sync',
  },
);

export const presentItem = (item: Item) => ({
  id: item.id,
  connector_id: item.connectorId,
  status: item.status,
  execution_status: item.executionStatus,
  client_user_id: item.clientUserId,
  products: item.products,
  error: item.error,
  user_action: item.userAction,
  parameter: item.parameter,
  consent_expires_at: item.consentExpiresAt?.toISOString() ?? null,
  next_sync_at: item.nextSyncAt?.toISOString() ?? null,
  created_at: item.createdAt.toISOString(),
  updated_at: item.updatedAt.toISOString(),
  last_updated_at: item.lastUpdatedAt?.toISOString() ?? null,
});

export const presentIngest = (ingest: ItemIngest) => ({
  id: ingest.id,
  item_id: ingest.itemId,
  dataset_id: ingest.datasetId,
  dataset: ingest.datasetName,
  account_ids: ingest.accountIds.length === 0 ? null : ingest.accountIds,
  status: ingest.status,
  error: ingest.error,
  transactions: ingest.transactions,
  pending: ingest.pending,
  created_at: ingest.createdAt.toISOString(),
  updated_at: ingest.updatedAt.toISOString(),
});
