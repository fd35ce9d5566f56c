import { asTieoutError } from '../../api/client';
import type { FileReading, ReadingChoices } from '../../api/imports';
import { Field, Pick } from '../../parts/form';
import { useFaultText } from '../../parts/fault-text';
import { Warned } from '../../parts/warned';
import { useFormats, useText } from '../../text';

const encodings = ['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-1', 'windows-1250', 'windows-1251', 'shift_jis'];
const delimiters = [',', ';', '\\t', '|'];
const dateFormats = ['DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY', 'YYYY/MM/DD', 'DD/MM/YY', 'MM/DD/YY'];

/** The same file would be refused again. */
const isRefused = (fault: Error): boolean => asTieoutError(fault).errors.length > 0;

interface ReadingCardProps {
  reading: FileReading;
  fault: Error | null;
  choices: ReadingChoices;
  onChoose: (choices: ReadingChoices) => void;
  onRetry: () => void;
}

/** The reading that the content suggests, with what a person may say instead. */
export function ReadingCard({ reading: shown, fault, choices, onChoose, onRetry }: ReadingCardProps) {
  const { frame, importing } = useText();
  const formats = useFormats();
  const faultText = useFaultText();
  const { reading, format, warnings, sheetNames } = shown;
  const isTable = ['csv', 'tsv', 'xlsx'].includes(format);
  const isText = isTable && format !== 'xlsx';
  const set = (name: keyof ReadingChoices, text: string): void => {
    const others: ReadingChoices = Object.fromEntries(Object.entries(choices).filter(([one]) => one !== name));
    const value = text.trim();
    const isNumber = name === 'headerRow' || name === 'skipLines';
    onChoose(value === '' ? others : { ...others, [name]: isNumber ? Number(value) : value });
  };
  const option = (
    name: 'encoding' | 'delimiter' | 'decimalSeparator' | 'sheet',
    label: string,
    known: string[],
    found: string | null,
  ) => (
    <Pick
      label={label}
      value={String(choices[name] ?? '')}
      options={[
        ['', `${nameOf(found)} (${importing.detected})`],
        ...[...new Set([...known, ...(choices[name] ? [choices[name]] : [])])].map(
          (one) => [one, nameOf(one)] as const,
        ),
      ]}
      onPick={(value) => set(name, value)}
    />
  );
  const nameOf = (value: string | null): string =>
    value === null ? '–' : value === '\t' || value === '\\t' ? importing.tab : value;
  const typed = (name: 'headerRow' | 'skipLines' | 'dateFormat', label: string, found: string) => (
    <Field label={label}>
      <input
        className="input"
        key={String(choices[name] ?? '')}
        type={name === 'dateFormat' ? 'text' : 'number'}
        min={name === 'headerRow' ? 1 : 0}
        list={name === 'dateFormat' ? 'date-formats' : undefined}
        placeholder={`${found} (${importing.detected})`}
        defaultValue={String(choices[name] ?? '')}
        onBlur={(event) => {
          if (event.target.value !== String(choices[name] ?? '')) set(name, event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </Field>
  );
  const [dateFormat] = Object.values(reading.date_formats as Record<string, string>);
  return (
    <section className="card import-reading">
      <div className="columns">
        <h2>{importing.reading}</h2>
        <span className={reading.confidence < 0.5 ? 'badge warn' : 'badge good'}>
          {importing.readAs(format.toUpperCase(), formats.percent(reading.confidence))}
        </span>
      </div>
      {isTable ? (
        <div className="import-options">
          {isText ? option('delimiter', importing.delimiter, delimiters, reading.delimiter) : null}
          {isText ? option('encoding', importing.encoding, encodings, reading.encoding) : null}
          {isText ? option('decimalSeparator', importing.decimal, ['.', ','], reading.decimal_separator) : null}
          {sheetNames.length > 1 ? option('sheet', importing.sheet, sheetNames, reading.sheet) : null}
          {typed('dateFormat', importing.dateFormat, dateFormat ?? 'ISO')}
          {typed('headerRow', importing.headerRow, String(reading.header_row ?? '–'))}
          {typed('skipLines', importing.skipLines, String(reading.skip_lines))}
          <datalist id="date-formats">
            {dateFormats.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </div>
      ) : null}
      {fault ? (
        <p className="notice bad" role="alert">
          {faultText(fault)}{' '}
          {isRefused(fault) ? null : (
            <button type="button" className="text-button" onClick={onRetry}>
              {frame.retry}
            </button>
          )}
        </p>
      ) : null}
      {warnings.length > 0 ? (
        <div className="notice">
          <h3>{importing.warnings}</h3>
          <ul className="plain-list">
            {warnings.map(({ code, message }, at) => (
              <li key={`${code} ${at}`}>
                <Warned code={code} message={message} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}
