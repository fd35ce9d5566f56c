import { Type } from '@sinclair/typebox';
import {
  coerce,
  datasetNameMaxLength,
  maxExternalIdLength,
  maxListedErrors,
  recordStatuses,
  type RecordFilter,
  type RecordStatus,
} from '@tieout/domain';
import { invalid } from '@tieout/infra';
import { closed, cursorPageOf, cursorQuery, freeForm, nullable, textEnum, timestamp, uuid } from '../../http';

const externalId = (description: string) => Type.String({ minLength: 1, maxLength: maxExternalIdLength, description });
const datasetName = (description: string) =>
  Type.String({ minLength: 1, maxLength: datasetNameMaxLength, description });
const status = textEnum(recordStatuses, { description: 'received until it is processed, then ready or failed' });

const recordError = closed(
  {
    field: Type.String({ description: 'Key of the field' }),
    value: Type.Unknown({ description: 'The value found; a long one is cut' }),
    code: Type.String(),
    message: Type.String(),
  },
  { description: 'Why a failed record could not be normalised' },
);

const example = {
  id: '01994e6d-7b30-7a51-8c11-2f4e6a8b0c3d',
  dataset_name: 'transactions',
  external_id: 'INV-1001',
  data: { amount: '1250.00', paidAt: '2026-03-02', customer: { name: 'Acme' } },
  created_at: '2026-03-02T10:15:30.123Z',
  status: 'ready',
  fields: { amount: 1250, paid_at: '2026-03-02' },
  error: null,
};

export const recordSchema = closed(
  {
    id: uuid(),
    dataset_name: Type.String(),
    external_id: nullable(Type.String(), { description: 'null: the record has no identity of its own' }),
    data: freeForm({ description: 'As it was sent' }),
    created_at: timestamp(),
    status,
    fields: nullable(freeForm(), { description: 'Normalised values by field key; null until the record is ready' }),
    error: nullable(recordError),
  },
  { $id: 'Record', examples: [example] },
);

export const createRecordQuery = closed({
  dataset: Type.String({
    minLength: 1,
    maxLength: datasetNameMaxLength,
    default: 'transactions',
    description: 'Name of the dataset; it is created on first use',
  }),
});

export const createRecordBody = closed(
  {
    externalId: Type.Optional(externalId('Identifies the record in its dataset: sending it again replaces the data')),
    body: freeForm({ description: "The record itself, in the tenant's own form" }),
  },
  { examples: [{ externalId: example.external_id, body: example.data }] },
);

export const acceptedRecordSchema = closed(
  { id: uuid(), status },
  { examples: [{ id: example.id, status: 'received' }] },
);

export const bulkResultSchema = closed(
  {
    accepted: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 }),
    errors: Type.Array(
      closed(
        {
          line: Type.Integer({ minimum: 1, description: 'Line of the body, or position in the array, counted from 1' }),
          code: Type.String(),
          message: Type.String(),
        },
        { $id: 'RejectedLine' },
      ),
      { description: `The first ${maxListedErrors} rejected lines` },
    ),
  },
  {
    examples: [
      { accepted: 2, rejected: 1, errors: [{ line: 3, code: 'malformed_json', message: 'is not valid JSON' }] },
    ],
  },
);

const instant = (description: string) =>
  Type.String({ maxLength: 64, description: `${description}; RFC 3339 or YYYY-MM-DD, UTC without a zone` });

const filters = {
  externalId: Type.Optional(externalId('Only the record with this external id')),
  status: Type.Optional(status),
  createdFrom: Type.Optional(instant('Created at this instant or later')),
  createdTo: Type.Optional(instant('Created before this instant')),
};

/** The prefix of parameters that compare fields by their key. */
const fieldParameter = 'field.';

export const listRecordsQuery = closed(
  {
    dataset: Type.Optional(datasetName('Only records of the dataset with this name')),
    ...filters,
    ...cursorQuery,
  },
  {
    patternProperties: {
      '^field\\..+$': Type.Array(Type.String(), {
        title: `${fieldParameter}<key>`,
        description: 'field.<key>=value: the normalised value of a field, else the raw one, as text',
      }),
    },
  },
);

export const recordPageSchema = cursorPageOf(recordSchema);

export const exportRecordsBody = closed(
  {
    fields: Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      maxItems: 500,
      description: 'Columns: keys of the data, or dotted paths into it',
    }),
    filters: closed({
      dataset: datasetName('Name of the dataset'),
      ...filters,
      fields: Type.Optional(
        Type.Unsafe<Record<string, string | number | boolean>>({
          type: 'object',
          additionalProperties: { $id: 'FilterValue', type: ['string', 'number', 'boolean'] },
          description: 'Values by field key, like field.<key> of the list',
        }),
      ),
    }),
  },
  { examples: [{ fields: ['amount', 'customer.name'], filters: { dataset: 'transactions', status: 'ready' } }] },
);

interface WireFilters {
  dataset?: string;
  externalId?: string;
  status?: RecordStatus;
  createdFrom?: string;
  createdTo?: string;
}

/** @param path of the filters, for errors. @throws AppError validation_error for an instant that cannot be read */
function toFilter(wire: WireFilters, path: string): RecordFilter {
  const { dataset, externalId, status, createdFrom, createdTo } = wire;
  return {
    ...(dataset === undefined ? {} : { dataset }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(status === undefined ? {} : { status }),
    ...(createdFrom === undefined ? {} : { createdFrom: readInstant(createdFrom, `${path}/createdFrom`) }),
    ...(createdTo === undefined ? {} : { createdTo: readInstant(createdTo, `${path}/createdTo`) }),
  };
}

function readInstant(text: string, path: string): Date {
  const instant = coerce('datetime', text);
  if (instant.kind !== 'value') {
    throw invalid([{ path, code: 'date_time', message: 'must be an RFC 3339 timestamp or YYYY-MM-DD' }]);
  }
  return new Date(instant.value as string);
}

/** Each filter scans the data of every record that passes the others. */
const maxFieldFilters = 50;
const limited = <T>(fields: T[], path: string): T[] => {
  if (fields.length > maxFieldFilters)
    throw invalid([{ path, code: 'maxItems', message: `may name at most ${maxFieldFilters} values of fields` }]);
  return fields;
};

/** Reads the filters of a query: `field.<key>` parameters may repeat, and all must hold. */
export function filterOfQuery(query: WireFilters): RecordFilter {
  const fields = Object.entries(query).flatMap(([name, values]) =>
    name.startsWith(fieldParameter)
      ? (values as unknown as string[]).map((value) => ({ key: name.slice(fieldParameter.length), value }))
      : [],
  );
  return { ...toFilter(query, '/query'), fields: limited(fields, '/query') };
}

/** Reads the same filters from a body. */
export function filterOfBody(
  filters: WireFilters & { fields?: Record<string, string | number | boolean> },
): RecordFilter {
  const fields = Object.entries(filters.fields ?? {}).map(([key, value]) => ({ key, value: String(value) }));
  return { ...toFilter(filters, '/filters'), fields: limited(fields, '/filters/fields') };
}
