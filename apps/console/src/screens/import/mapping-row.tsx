import { memo, useState } from 'react';
import type { MappedKind } from '../../api/imports';
import { useText } from '../../text';
import { fieldKinds, type MappedField } from './mapping';

interface MappingRowProps {
  field: MappedField;
  columns: readonly string[];
  /** The first value of the field. */
  first: string;
  /** The message about the field, if the service refuses it. */
  wrong: string | undefined;
  onChange: (at: string, changes: Partial<MappedField>) => void;
}

/** A line of the table of fields. It is made again only where it changes: a file may have thousands of columns. */
export const MappingRow = memo(function MappingRow({ field, columns, first, wrong, onChange }: MappingRowProps) {
  const { importing } = useText();
  return (
    <tr className={field.isKept ? undefined : 'off'}>
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
        {wrong === undefined ? null : (
          <small className="wrong" role="alert">
            {wrong}
          </small>
        )}
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
        <bdi>{first}</bdi>
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
});

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
