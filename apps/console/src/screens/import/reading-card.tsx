import { asTieoutError, isRefused } from '../../api/client';
import type { FileReading, ReadingChoices } from '../../api/imports';
import { Field, Pick } from '../../parts/form';
import { useFormats, useText } from '../../text';
import { unreadText } from '../../text/reading';
import { withChoice } from './choices';
import { Warnings } from './warnings';

const formatNames = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'ofx', 'qif', 'mt940', 'mt942', 'camt.052', 'camt.053'];
const encodings = ['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-1', 'windows-1250', 'windows-1251', 'shift_jis'];
const delimiters = [',', ';', '\\t', '|'];
const dateFormats = ['DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY', 'YYYY/MM/DD', 'DD/MM/YY', 'MM/DD/YY'];

/** An empty text may be chosen too. */
const asValue = (chosen: string): string => `=${chosen}`;

interface ReadingCardProps {
  /** Null: the file has been refused, and may be read otherwise. */
  reading: FileReading | null;
  fault: Error | null;
  choices: ReadingChoices;
  onChoose: (choices: ReadingChoices) => void;
  onRetry: () => void;
}

/** The reading that the content suggests, with what a person may say instead. */
export function ReadingCard({ reading: shown, fault, choices, onChoose, onRetry }: ReadingCardProps) {
  const texts = useText();
  const { frame, importing } = texts;
  const formats = useFormats();
  const reading = shown?.reading;
  const format = shown?.format ?? choices.format ?? 'csv';
  const isText = format === 'csv' || format === 'tsv';
  const isTable = isText || format === 'xlsx';
  const sheetNames = shown?.sheetNames ?? [];
  const set = (option: keyof ReadingChoices, text: string | null): void => onChoose(withChoice(choices, option, text));
  const detected = (value: string | null): string => `${nameOf(value)} (${importing.detected})`;
  const nameOf = (value: string | null): string =>
    value === null ? '–' : value === '\t' || value === '\\t' ? importing.tab : value;
  const option = (name: keyof ReadingChoices, known: readonly string[], found: string | null) => {
    const chosen = choices[name] === undefined ? [] : [String(choices[name])];
    return (
      <Pick
        label={importing.options[name]}
        value={chosen.map(asValue)[0] ?? ''}
        options={[
          ['', detected(found)],
          ...[...new Set([...known, ...chosen])].map(
            (one) => [asValue(one), importing.choice[`${name} ${one}`] ?? nameOf(one)] as const,
          ),
        ]}
        onPick={(value) => set(name, value === '' ? null : value.slice(1))}
      />
    );
  };
  const typed = (name: 'headerRow' | 'skipLines' | 'dateFormat', found: string) => (
    <Field label={importing.options[name]}>
      <input
        className="input"
        key={String(choices[name] ?? '')}
        type={name === 'dateFormat' ? 'text' : 'number'}
        min={name === 'headerRow' ? 1 : 0}
        list={name === 'dateFormat' ? 'date-formats' : undefined}
        placeholder={detected(found)}
        defaultValue={String(choices[name] ?? '')}
        onBlur={({ target: { value } }) => {
          if (value !== String(choices[name] ?? '')) set(name, value.trim() === '' ? null : value.trim());
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </Field>
  );
  const [dateFormat] = Object.values((reading?.date_formats ?? {}) as Record<string, string>);
  const rarely = (['comment', 'path', 'identity'] as const).filter((name) => choices[name] !== undefined);
  return (
    <section className="card import-reading">
      <div className="columns">
        <h2>{importing.reading}</h2>
        {reading ? (
          <span className={reading.confidence < 0.5 ? 'badge warn' : 'badge good'}>
            {importing.readAs(format.toUpperCase(), formats.percent(reading.confidence))}
          </span>
        ) : null}
      </div>
      <div className="import-options">
        {option('format', formatNames, shown?.format ?? null)}
        {isText ? option('delimiter', delimiters, reading?.delimiter ?? null) : null}
        {isText ? option('encoding', encodings, reading?.encoding ?? null) : null}
        {isText ? option('decimalSeparator', ['.', ','], reading?.decimal_separator ?? null) : null}
        {sheetNames.length > 1 ? option('sheet', sheetNames, reading?.sheet ?? null) : null}
        {isTable || choices.dateFormat !== undefined ? typed('dateFormat', dateFormat ?? 'ISO') : null}
        {isTable ? typed('headerRow', String(reading?.header_row ?? '–')) : null}
        {isTable ? option('header', ['true', 'false'], null) : null}
        {isTable ? typed('skipLines', String(reading?.skip_lines ?? 0)) : null}
        {isTable ? option('footer', ['true', 'false'], null) : null}
        {rarely.map((name) => (
          <div key={name}>{option(name, [], null)}</div>
        ))}
        <datalist id="date-formats">
          {dateFormats.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </div>
      {shown?.isOfBeginning ? <p className="soft">{importing.ofBeginning}</p> : null}
      {fault ? (
        <p className="notice bad" role="alert">
          {unreadText(asTieoutError(fault), texts)}{' '}
          {isRefused(fault) ? null : (
            <button type="button" className="text-button" onClick={onRetry}>
              {frame.retry}
            </button>
          )}
        </p>
      ) : null}
      <Warnings of={shown?.warnings ?? []} onChoose={set} />
    </section>
  );
}
