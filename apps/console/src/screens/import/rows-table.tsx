import { memo } from 'react';
import { TableFrame } from '../../parts/table-frame';
import { cellText } from '../../parts/words';
import { useFormats, useText, type Formats, type WireAmount } from '../../text';
import type { MappedField } from './mapping';

interface RowsTableProps {
  fields: readonly MappedField[];
  rows: readonly FirstRow[];
}

interface FirstRow {
  line: number;
  data: Record<string, unknown>;
  fields: Record<string, unknown>;
  errors: readonly { field: string; message: string }[];
}

/**
 * Shows the first rows as they will be stored. A cell that does not fit its field shows its text and the error. The
 * table has many cells and is made again only when they have been computed.
 */
export const RowsTable = memo(function RowsTable({ fields, rows }: RowsTableProps) {
  const { importing } = useText();
  const formats = useFormats();
  return (
    <TableFrame label={importing.rows(formats.counted(rows.length))} className="first-rows">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col" className="amount">
              {importing.line}
            </th>
            {fields.map(({ at, key, type }) => (
              <th key={at} scope="col" className={isFigure(type) ? 'amount' : undefined}>
                <bdi>{key}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, data, fields: values, errors }) => (
            <tr key={line}>
              <td className="amount soft">{line}</td>
              {fields.map(({ at, key, type, column }) => {
                const fault = errors.find(({ field }) => field === key);
                const className = [isFigure(type) && 'amount', fault && 'wrong-cell'].filter(Boolean).join(' ');
                return (
                  <td key={at} className={className || undefined} title={fault?.message}>
                    <bdi>{fault ? cellText(data[column]) : shownValue(values[key], type, formats)}</bdi>
                    {fault ? <span className="visually-hidden">: {fault.message}</span> : null}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
});

/** A value as a person of the locale writes it. */
function shownValue(value: unknown, type: MappedField['type'], formats: Formats): string {
  if (value === undefined || value === null) return '';
  if (type === 'amount') return formats.amount(value as WireAmount);
  if (type === 'date' && typeof value === 'string') return formats.day(value);
  return cellText(value);
}

const isFigure = (type: MappedField['type']): boolean => type === 'amount' || type === 'number';
