import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { tieout } from '../../api/client';
import type { FileReading } from '../../api/imports';
import { useSettled } from '../../parts/settled';
import { rowsToSend, type MappedField } from './mapping';

/** The values of the fields in the first rows, computed again with every change of a field. */
export function useValues(fields: readonly MappedField[], { rows, reading }: FileReading) {
  const settled = useSettled(useDeferredValue(fields));
  const dateFormats = reading.date_formats as Record<string, string>;
  const asked = settled.filter(({ isKept, key }) => isKept && /^[A-Za-z][\w.-]{0,63}$/.test(key)).slice(0, 200);
  const sent = asked.map(({ key, type, column, expression }) => ({
    key,
    type,
    sourcePath: column,
    ...(expression === null || expression.trim() === '' ? {} : { transform_expr: expression }),
    ...(reading.decimal_separator === null ? {} : { decimalSeparator: reading.decimal_separator as '.' | ',' }),
    ...(expression === null && dateFormats[column] !== undefined && { dateFormat: dateFormats[column] }),
  }));
  const shown = rowsToSend(rows);
  return useQuery({
    queryKey: ['field-values', sent, rows],
    queryFn: async ({ signal }) => {
      const { records } = await tieout.previewDatasetFields({
        body: { fields: sent, records: shown.map(({ data }) => data) },
        signal,
      });
      return shown.map(({ line, data }, at) => ({ line, data, ...(records[at] ?? { fields: {}, errors: [] }) }));
    },
    enabled: sent.length > 0 && shown.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
