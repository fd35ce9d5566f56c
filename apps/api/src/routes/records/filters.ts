import { coerce, type RecordFilter, type RecordStatus } from '@tieout/domain';
import { invalid } from '@tieout/infra';
import { fieldParameter } from './schemas';

interface WireFilters {
  dataset?: string;
  externalId?: string;
  status?: RecordStatus;
  createdFrom?: string;
  createdTo?: string;
}

/** @throws AppError validation_error for an instant that cannot be read; `path` leads to the filters */
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

/** Each goes through the data of every record that the others have left. */
const mostFieldFilters = 50;
const atMost = <T>(fields: T[], path: string): T[] => {
  if (fields.length > mostFieldFilters)
    throw invalid([{ path, code: 'maxItems', message: `may name at most ${mostFieldFilters} values of fields` }]);
  return fields;
};

/** The filters of the list: `field.<key>` parameters may come several times, and all must hold. */
export function filterOfQuery(query: WireFilters): RecordFilter {
  const fields = Object.entries(query).flatMap(([name, values]) =>
    name.startsWith(fieldParameter)
      ? (values as unknown as string[]).map((value) => ({ key: name.slice(fieldParameter.length), value }))
      : [],
  );
  return { ...toFilter(query, '/query'), fields: atMost(fields, '/query') };
}

/** The same filters in a body. */
export function filterOfBody(
  filters: WireFilters & { fields?: Record<string, string | number | boolean> },
): RecordFilter {
  const fields = Object.entries(filters.fields ?? {}).map(([key, value]) => ({ key, value: String(value) }));
  return { ...toFilter(filters, '/filters'), fields: atMost(fields, '/filters/fields') };
}
