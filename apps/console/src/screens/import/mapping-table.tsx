import type { TieoutError } from '@tieout/client';
import type { MappedKind } from '../../api/imports';
import { useState } from 'react';
import { TableFrame } from '../../parts/table-frame';
import { cellText } from '../../parts/words';
import { useFormats, useText } from '../../text';
import { fieldKinds, type MappedField } from './mapping';

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
  const { importing } = useText();
  const formats = useFormats();
  const kept = fields.filter(({ isKept }) => isKept);
  const faultAt = /^\/fields\/(\d+)/.exec(fault?.errors[0]?.path ?? '')?.[1];
  const wrongAt = faultAt === undefined ? undefined : kept[Number(faultAt)]?.at;
  const [isUnfolded, setUnfolded] = useState(false);
  const empty = fields.filter(({ at }) => folded.has(at));
  const hasFold = empty.length > 0 && empty.length < fields.length;
  const shown = hasFold ? fields.filter(({ at }) => !folded.has(at)) : fields;
  const isOpen = isUnfolded || empty.some(({ at }) => at === wrongAt);
  const firstOf = (key: string): string =>
    cellText(values?.find((row) => row.fields[key] !== undefined && row.fields[key] !== '')?.fields[key]);
  const rowOf = (field: MappedField) => (
    <tr key={field.at} className={field.isKept ? undefined : 'off'}>
      <td>
        <input
          type="checkbox"
          aria-label={`${importing.kept}: ${field.key}`}
          checked={field.isKept}
          disabled={field.stored !== undefined}
          onChange={(event) => onChange(field.at, { isKept: event.target.checked, isEdited: field.isEdited })}
        />
      </td>
      <td>
        <Origin field={field} columns={columns} onChange={(changes) => onChange(field.at, changes)} />
        {wrongAt === field.at && fault ? (
          <small className="wrong" role="alert">
            {fault.errors[0]?.message}
          </small>
        ) : null}
      </td>
      <td>
        <input
          className="input mono"
          style={widthFor(field.key)}
          title={field.key}
          aria-label={`${importing.key}: ${field.key}`}
          value={field.key}
          maxLength={64}
          pattern="[A-Za-z][A-Za-z0-9_.\-]*"
          required
          onChange={(event) => onChange(field.at, { key: event.target.value })}
        />
        {field.stored ? <small className="soft">{importing.stored}</small> : null}
      </td>
      <td>
        <select
          className="input"
          aria-label={`${importing.type}: ${field.key}`}
          value={field.type}
          onChange={(event) => onChange(field.at, { type: event.target.value as MappedKind })}
        >
          {fieldKinds.map((kind) => (
            <option key={kind} value={kind}>
              {importing.kinds[kind]}
            </option>
          ))}
        </select>
      </td>
      <td className="example">
        <bdi>{field.isKept ? firstOf(field.key) : ''}</bdi>
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`${importing.identity}: ${field.key}`}
          checked={field.isIdentity}
          onChange={(event) => onChange(field.at, { isIdentity: event.target.checked })}
        />
      </td>
    </tr>
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

interface OriginProps {
  field: MappedField;
  columns: readonly string[];
  onChange: (changes: Partial<MappedField>) => void;
}

/** A column, or an expression over the row. */
function Origin({ field, columns, onChange }: OriginProps) {
  const { importing } = useText();
  // With the options of every field on the page, their number would be the square of the number of columns.
  const [isOpen, setOpen] = useState(false);
  const known = columns.includes(field.column) || field.column === '' ? columns : [field.column, ...columns];
  const options = isOpen ? known : known.filter((name) => name === field.column);
  if (field.expression !== null) {
    return (
      <span className="origin">
        <textarea
          className="input mono"
          rows={Math.min(4, field.expression.split('\n').length)}
          spellCheck={false}
          aria-label={`${importing.expression}: ${field.key}`}
          placeholder="$amount(price) * quantity"
          value={field.expression}
          onChange={(event) => onChange({ expression: event.target.value })}
        />
        <button
          type="button"
          className="text-button"
          onClick={() => onChange({ expression: null, column: field.column || (columns[0] ?? '') })}
        >
          {importing.asColumn}
        </button>
      </span>
    );
  }
  return (
    <span className="origin">
      <select
        className="input"
        style={widthFor(field.column)}
        title={field.column}
        aria-label={`${importing.column}: ${field.key}`}
        value={field.column}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => onChange({ column: event.target.value })}
      >
        {options.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="text-button"
        onClick={() => onChange({ expression: pathExpression(field.column) })}
      >
        {importing.expression}
      </button>
    </span>
  );
}

const maxWidth = 34;
/** A name can be told from others that begin like it where its end is seen. */
const widthFor = (name: string) => ({ minWidth: `${Math.min(name.length, maxWidth) + 6}ch` });

const pathExpression = (column: string): string => (/^[A-Za-z_]\w*$/.test(column) ? column : `\`${column}\``);
