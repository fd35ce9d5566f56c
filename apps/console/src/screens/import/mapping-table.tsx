import type { TieoutError } from '@tieout/client';
import { useState } from 'react';
import { TableFrame } from '../../parts/table-frame';
import { cellText } from '../../parts/words';
import { useFormats, useText } from '../../text';
import { readingText } from '../../text/reading';
import { isComputable, type MappedField } from './mapping';
import { MappingRow } from './mapping-row';

interface ComputedRow {
  data: Record<string, unknown>;
  fields: Record<string, unknown>;
}

interface MappingTableProps {
  fields: readonly MappedField[];
  columns: readonly string[];
  /** Fields behind the fold, by `at`: those without values would push the first rows off the page. */
  folded: ReadonlySet<string>;
  values: readonly ComputedRow[] | undefined;
  fault: TieoutError | null;
  onChange: (at: string, changes: Partial<MappedField>) => void;
}

/** A line for each field: where it comes from, what it is called, its type, and its first value. */
export function MappingTable({ fields, columns, folded, values, fault, onChange }: MappingTableProps) {
  const texts = useText();
  const { importing } = texts;
  const formats = useFormats();
  const faultAt = /^\/fields\/(\d+)/.exec(fault?.errors[0]?.path ?? '')?.[1];
  const wrongAt = faultAt === undefined ? undefined : fields.filter(isComputable)[Number(faultAt)]?.at;
  const [isUnfolded, setUnfolded] = useState(false);
  const empty = fields.filter(({ at }) => folded.has(at));
  const hasFold = empty.length > 0 && empty.length < fields.length;
  const shown = hasFold ? fields.filter(({ at }) => !folded.has(at)) : fields;
  const isOpen = isUnfolded || empty.some(({ at }) => at === wrongAt);
  const wrong = fault === null ? undefined : readingText(fault.errors[0]?.message ?? fault.message, texts);
  const rowOf = (field: MappedField) => (
    <MappingRow
      key={field.at}
      field={field}
      columns={columns}
      first={field.isKept ? firstOf(values, field.key) : ''}
      wrong={field.at === wrongAt ? wrong : undefined}
      onChange={onChange}
    />
  );
  return (
    <TableFrame label={importing.fields}>
      <table className="plain-table mapping">
        <thead>
          <tr>
            <th scope="col">{importing.kept}</th>
            <th scope="col">{importing.column}</th>
            <th scope="col">{importing.key}</th>
            <th scope="col">{importing.type}</th>
            <th scope="col">{importing.example}</th>
            <th scope="col" title={importing.identityHint}>
              {importing.identity}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(rowOf)}
          {hasFold ? (
            <tr>
              <td colSpan={6}>
                <button
                  type="button"
                  className="text-button"
                  aria-expanded={isOpen}
                  onClick={() => setUnfolded(!isOpen)}
                >
                  {importing.empty(formats.counted(empty.length))}
                </button>
              </td>
            </tr>
          ) : null}
          {hasFold && isOpen ? empty.map(rowOf) : null}
        </tbody>
      </table>
    </TableFrame>
  );
}

const firstOf = (rows: readonly ComputedRow[] | undefined, key: string): string =>
  cellText(rows?.find(({ fields }) => fields[key] !== undefined && fields[key] !== '')?.fields[key]);
