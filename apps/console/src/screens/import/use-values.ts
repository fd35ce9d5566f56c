import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { tieout } from '../../api/client';
import type { FileReading } from '../../api/imports';
import { useSettled } from '../../parts/settled';
import { isComputable, rowsToSend, type MappedField } from './mapping';

/** The service computes this many fields at once. */
const maxFields = 200;

/** The fields in the first rows with their values, computed again with every change of a field. */
export function useValues(fields: readonly MappedField[], reading: FileReading) {
  const settled = useSettled(useDeferredValue(fields));
  // The key of a query is hashed with every render: with the rows in it, each press of a key would wait for that.
  const asked = useMemo(() => ({ id: crypto.randomUUID(), ...askedOf(settled, reading) }), [settled, reading]);
  return useQuery({
    queryKey: ['field-values', asked.id],
    queryFn: async ({ signal }) => {
      const { kept, sent, rows } = asked;
      const { records } = await tieout.previewDatasetFields({
        body: { fields: sent, records: rows.map(({ data }) => data) },
        signal,
      });
      const computed = rows.map(({ line, data }, at) => ({
        line,
        data,
        ...(records[at] ?? { fields: {}, errors: [] }),
      }));
      return { fields: kept.slice(0, maxFields), rows: computed, isPart: kept.length > maxFields };
    },
    enabled: asked.sent.length > 0 && asked.rows.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

/** The fields that have a value in the preview, as a request has them, and the rows that it can carry. */
function askedOf(fields: readonly MappedField[], { rows, reading }: FileReading) {
  const dateFormats = reading.date_formats as Record<string, string>;
  const kept = fields.filter(isComputable);
  const sent = kept.slice(0, maxFields).map(({ key, type, column, expression }) => ({
    key,
    type,
    sourcePath: column,
    ...(expression === null || expression.trim() === '' ? {} : { transform_expr: expression }),
    ...(reading.decimal_separator === null ? {} : { decimalSeparator: reading.decimal_separator as '.' | ',' }),
    ...(expression === null && dateFormats[column] !== undefined && { dateFormat: dateFormats[column] }),
  }));
  return { kept, sent, rows: rowsToSend(rows) };
}
