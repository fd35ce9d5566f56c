import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { asTieoutError, isRefused } from '../../api/client';
import { sendFile, type FileReading, type ReadingChoices, type SourceFile } from '../../api/imports';
import { useToasts } from '../../parts/toasts';
import { useFormats, useText, type Texts } from '../../text';
import { readingText, undeclaredText, unreadText } from '../../text/reading';
import { applyMapping, FieldRefused } from './apply';
import { asNew, declaredFields, fieldKinds, isChanged, isWithoutValues, type MappedField } from './mapping';
import { MappingTable } from './mapping-table';
import { RowsTable } from './rows-table';
import { Sending, SendingPreview } from './sending';
import { useValues } from './use-values';

export interface ImportTarget {
  file: File;
  dataset: string;
  datasetId: string | undefined;
  choices: ReadingChoices;
  replaces: string | undefined;
  mayImport: boolean;
  /** The reading and the fields are those of this target. Else they are on their way, and older ones are shown. */
  isReady: boolean;
  /** They cannot be had. */
  isFaulty: boolean;
  /** The file is sent to be read again. */
  isReading: boolean;
  stopReading: () => void;
  /** Makes the data source where it is new. */
  sourceOf: () => Promise<string>;
}

interface FieldsCardProps {
  initial: readonly MappedField[];
  /** Identifies the source of the initial fields. When it changes, they replace all fields that are shown. */
  origin: string;
  reading: FileReading;
  target: ImportTarget;
  onSent: (file: SourceFile) => void;
}

/** Shows the fields that columns become, with the first rows as they will be, and the way to import them. */
export function FieldsCard({ initial, origin, reading, target, onSent }: FieldsCardProps) {
  const texts = useText();
  const { importing } = texts;
  const formats = useFormats();
  const toasts = useToasts();
  const [drafts, setDrafts] = useState(initial);
  const [draftsOf, setDraftsOf] = useState(origin);
  const [isTouched, setTouched] = useState(false);
  /** Name of the dataset whose fields replaced those that the user had edited; null where none did. */
  const [replacedBy, setReplacedBy] = useState<string | null>(null);
  /** A press that waits for the fields, with the dataset whose fields had been seen to take the place of others. */
  const [press, setPress] = useState<{ replacedBy: string | null } | null>(null);
  const isWaiting = press !== null;
  if (origin !== draftsOf) {
    setDraftsOf(origin);
    setDrafts(initial);
    setReplacedBy(isTouched ? target.dataset : null);
    setTouched(false);
  }
  const setFields = useCallback((next: (all: readonly MappedField[]) => readonly MappedField[]): void => {
    setDrafts(next);
    setTouched(true);
    setReplacedBy(null);
  }, []);
  const isNewDataset = target.datasetId === undefined;
  const fields = useMemo(() => (isNewDataset ? drafts.map(asNew) : drafts), [isNewDataset, drafts]);
  const [share, setShare] = useState<number | null>(null);
  /** The reason for which the file was not taken, as it was read and for the dataset that it was sent to. */
  const [refusal, setRefusal] = useState<{ error: unknown; reading: FileReading; dataset: string } | null>(null);
  const isRefusalOfThis = refusal?.reading === reading && refusal.dataset === target.dataset;
  const made = useRef({ dataset: '', id: '' });
  const stop = useRef<AbortController>(null);
  const values = useValues(fields, reading);
  // A field that is edited stays where it is.
  const folded = useMemo(
    () => new Set(initial.filter(isWithoutValues(reading)).map(({ at }) => at)),
    [initial, reading],
  );
  const change = useCallback(
    (at: string, changes: Partial<MappedField>): void =>
      setFields((all) => all.map((field) => (field.at === at ? { ...field, isEdited: true, ...changes } : field))),
    [setFields],
  );
  const add = (): void =>
    setFields((all) => [
      ...all,
      {
        at: crypto.randomUUID(),
        key: unusedKey(all),
        type: fieldKinds[0] ?? 'string',
        column: '',
        expression: '',
        isIdentity: false,
        isKept: true,
        isEdited: true,
      },
    ]);
  const wrong = (values.data?.rows ?? []).reduce((sum, { errors }) => sum + errors.length, 0);
  const fault = values.error ? asTieoutError(values.error) : null;
  const send = async (): Promise<void> => {
    const aborting = new AbortController();
    stop.current = aborting;
    setShare(0);
    setRefusal(null);
    try {
      const sourceId = await target.sourceOf();
      const declared = declaredFields(fields);
      const { file, dataset, choices, replaces } = target;
      const before = made.current.dataset === dataset ? made.current.id : undefined;
      const onMade = (id: string): void => void (made.current = { dataset, id });
      await applyMapping({ dataset, sourceId, datasetId: target.datasetId ?? before, onMade }, declared.fields);
      const sent = await sendFile({
        sourceId,
        file,
        fields: { ...(choices as Record<string, string>), dataset, replaces, fromColumns: declared.fromColumns },
        onProgress: setShare,
        signal: aborting.signal,
      });
      onSent(sent);
    } catch (error) {
      if (aborting.signal.aborted) toasts.say(importing.stopped);
      else setRefusal({ error, reading, dataset: target.dataset });
      setShare(null);
    }
  };
  // A press of the button while the fields load counts once they are there, unless they replaced edited fields.
  const carryOut = useEffectEvent(() => {
    setPress(null);
    if (target.isReady && (replacedBy === null || replacedBy === press?.replacedBy)) void send();
  });
  useEffect(() => {
    if (isWaiting && (target.isReady || target.isFaulty)) carryOut();
  }, [isWaiting, target.isReady, target.isFaulty]);
  return (
    <>
      <section className="card import-fields">
        <div className="columns">
          <div>
            <h2>{importing.fields}</h2>
            <p className="soft">{importing.fieldsHint}</p>
          </div>
          <button type="button" className="button" onClick={add}>
            {importing.addField}
          </button>
        </div>
        {fields.some((field) => field.stored !== undefined && isChanged(field)) ? (
          <p className="notice">{importing.changesAll}</p>
        ) : null}
        <MappingTable
          fields={fields}
          columns={reading.headers}
          folded={folded}
          values={values.data?.rows}
          fault={fault}
          onChange={change}
        />
      </section>
      <section className="card import-rows">
        <div className="columns">
          <h2>{importing.rows(formats.counted(reading.rows.length))}</h2>
          <span className={wrong === 0 ? 'badge good' : 'badge bad'} role="status">
            {wrong === 0 ? importing.allFit : importing.wrongCells(formats.counted(wrong))}
          </span>
        </div>
        {values.data ? <RowsTable fields={values.data.fields} rows={values.data.rows} /> : null}
        {values.data?.isPart ? (
          <p className="soft">{importing.firstFields(formats.count(values.data.fields.length))}</p>
        ) : null}
        {reading.rejected.length > 0 ? (
          <div className="notice bad">
            <h3>{importing.unreadable}</h3>
            <ul className="plain-list">
              {reading.rejected.map(({ line, message, raw }) => (
                <li key={line}>
                  {importing.line} {line}: {readingText(message, texts)} <bdi className="mono">{raw.slice(0, 120)}</bdi>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </section>
      <div className="import-actions">
        {isRefusalOfThis ? (
          <p className="notice bad" role="alert">
            <bdi>{refusedText(refusal.error, texts)}</bdi>
          </p>
        ) : null}
        {replacedBy === null ? null : (
          <p className="notice" role="status">
            {importing.fieldsFrom(replacedBy)}
          </p>
        )}
        {target.isReading ? (
          <SendingPreview
            onStop={() => {
              setPress(null);
              target.stopReading();
            }}
          />
        ) : null}
        {share === null ? (
          <button
            type="button"
            className="button primary"
            disabled={!target.mayImport || target.isFaulty || fault !== null || isWaiting}
            aria-busy={isWaiting}
            onClick={() => (target.isReady ? void send() : setPress({ replacedBy }))}
          >
            {importing.start}
          </button>
        ) : (
          <Sending label={importing.sending} share={share} onStop={() => stop.current?.abort()} />
        )}
      </div>
    </>
  );
}

function unusedKey(fields: readonly MappedField[]): string {
  const keys = new Set(fields.map(({ key }) => key));
  for (let at = 1; ; at++) if (!keys.has(`field_${at}`)) return `field_${at}`;
}

/** Says why the file was not taken, with the id that finds the request in the logs where the service has failed. */
function refusedText(error: unknown, texts: Texts): string {
  if (error instanceof FieldRefused) return undeclaredText(error.key, error.refusal, texts);
  const { requestId } = asTieoutError(error);
  const text = unreadText(asTieoutError(error), texts);
  return isRefused(error) || requestId === undefined ? text : `${text} (${texts.frame.requestId(requestId)})`;
}
