import { useMemo, useRef, useState } from 'react';
import { isRefused } from '../../api/client';
import {
  createSource,
  useAllDatasets,
  useNewestFiles,
  useReading,
  useStoredFields,
  type SourceFile,
  type StoredField,
} from '../../api/imports';
import { useAllows } from '../../api/session';
import { Field, Pick } from '../../parts/form';
import { Fault, Skeleton } from '../../parts/states';
import { useText } from '../../text';
import type { Incoming } from '.';
import { FileButton } from './drop-zone';
import { FieldsCard } from './fields-card';
import { mappingOf } from './mapping';
import { newSourceName, offerOf, stemOf } from './offer';
import { ReadingCard } from './reading-card';
import { SendingPreview } from './sending';

interface FileDeskProps {
  incoming: Incoming;
  sources: readonly { id: string; name: string }[];
  onChange: (incoming: Incoming) => void;
  onFile: (file: File) => void;
  onLeave: () => void;
  onSent: (file: SourceFile) => void;
}

const noFields: readonly StoredField[] = [];
/** The choice of a source that is not known yet. */
const unknown = '?';

/** A file before it is imported: where it goes, how it is read, and what its columns become. */
export function FileDesk({ incoming, sources, onChange, onFile, onLeave, onSent }: FileDeskProps) {
  const { importing } = useText();
  const { file, replaces } = incoming;
  const mayImport = useAllows('datasets:write');
  const [isFresh, setFresh] = useState(replaces !== null);
  const made = useRef<string>(null);
  const [newName, setNewName] = useState<string | null>(null);
  const plain = useReading(file, {});
  const earlier = useNewestFiles(sources.map(({ id }) => id));
  /** The earlier file that is most like this one, of the source that is chosen or of any. */
  const like = useMemo(() => {
    const ofSource = (one: SourceFile): boolean => [null, one.dataSourceId].includes(incoming.sourceId);
    return plain.data === undefined ? null : offerOf((earlier.data ?? []).filter(ofSource), plain.data);
  }, [plain.data, earlier.data, incoming.sourceId]);
  const isKnown = (plain.data !== undefined || plain.error !== null) && earlier.data !== undefined;
  /** Null until the file and the earlier ones are known. */
  const sourceId = incoming.sourceId ?? (isKnown ? (like?.file.dataSourceId ?? '') : null);
  const offer = isFresh ? null : like;
  const nameOfSource = newName ?? newSourceName(file.name, plain.data?.format ?? 'csv', sources);
  const choices = Object.keys(incoming.choices).length > 0 ? incoming.choices : (offer?.choices ?? {});
  const dataset = incoming.dataset ?? offer?.dataset ?? stemOf(file.name);
  const datasets = useAllDatasets();
  const stored = datasets.data?.items.find(({ name }) => name === dataset);
  const isPlain = Object.keys(choices).length === 0;
  const otherwise = useReading(isPlain ? null : file, choices);
  const reading = isPlain ? plain : otherwise;
  const fields = useStoredFields(stored?.id);
  const isReady =
    isKnown &&
    reading.data !== undefined &&
    datasets.data !== undefined &&
    (stored === undefined || fields.data !== undefined);
  const found =
    reading.data && isReady ? { reading: reading.data, choices, stored, fields: fields.data ?? noFields } : null;
  // Nothing that is seen goes away while another reading or dataset loads: a click finds what it was meant for.
  const [shown, setShown] = useState(found);
  if (found && (found.reading !== shown?.reading || found.stored !== shown.stored || found.fields !== shown.fields))
    setShown(found);
  // A new name leaves the fields as they stand: they are seen, and what was changed in them is kept.
  const [fieldsOf, setFieldsOf] = useState(stored?.id);
  if (found?.stored && found.stored.id !== fieldsOf) setFieldsOf(found.stored.id);
  const initial = useMemo(() => (shown ? mappingOf(shown.fields, shown.reading) : []), [shown]);
  const fault = reading.error ?? datasets.error ?? fields.error ?? earlier.error;
  /** The file is refused as it is read: it may be read otherwise. */
  const isOtherwise = reading.error !== null && isRefused(reading.error);
  const retry = (): void => [reading, datasets, fields, earlier].forEach((one) => void (one.error && one.refetch()));
  const [typed, setTyped] = useState<string | null>(null);
  const rename = (): void => {
    const name = typed?.trim() ?? '';
    setTyped(null);
    if (name !== '' && name !== dataset) onChange({ ...incoming, dataset: name });
  };
  const sourceOf = async (): Promise<string> => {
    if (sourceId) return sourceId;
    made.current ??= await createSource(nameOfSource.trim() || importing.title);
    return made.current;
  };
  const isReading = plain.isFetching || reading.isFetching;
  /** Returns to the reading that is seen, or to the choice of a file. */
  const stopReading = (): void => (shown ? onChange({ ...incoming, choices: shown.choices }) : onLeave());
  return (
    <div className="import">
      <section className="card import-target">
        <div className="columns">
          <h2>
            <bdi>{file.name}</bdi>
          </h2>
          <FileButton text={importing.other} onFile={onFile} />
        </div>
        {replaces ? <p className="notice">{importing.correcting(replaces.originalName)}</p> : null}
        {offer ? (
          <p className="notice good">
            {importing.offered(offer.file.originalName, offer.dataset)}{' '}
            <button type="button" className="text-button" onClick={() => setFresh(true)}>
              {importing.offerOff}
            </button>
          </p>
        ) : null}
        <div className="import-options">
          <Pick
            label={importing.source}
            value={sourceId ?? unknown}
            options={[
              ...(sourceId === null ? [[unknown, '…'] as const] : []),
              ...sources.map(({ id, name }) => [id, name] as const),
              ['', `${importing.newSource} …`],
            ]}
            onPick={(id) => onChange({ ...incoming, sourceId: id, dataset: null })}
          />
          {sourceId === '' ? (
            <Field label={importing.sourceName}>
              <input className="input" value={nameOfSource} onChange={(event) => setNewName(event.target.value)} />
            </Field>
          ) : null}
          <Field label={importing.dataset} hint={importing.datasetHint}>
            <input
              className="input"
              list="datasets"
              maxLength={200}
              value={typed ?? dataset}
              readOnly={replaces !== null}
              onChange={(event) => setTyped(event.target.value)}
              onBlur={rename}
              onKeyDown={(event) => {
                if (event.key === 'Enter') rename();
              }}
            />
          </Field>
          <datalist id="datasets">
            {datasets.data?.items.map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
        </div>
        {mayImport ? null : <p className="notice">{importing.noRights}</p>}
      </section>
      {shown || isOtherwise ? (
        <ReadingCard
          reading={shown?.reading ?? null}
          fault={reading.error}
          choices={choices}
          onChoose={(next) => onChange({ ...incoming, choices: next })}
          onRetry={retry}
        />
      ) : null}
      {fault && fault !== ((shown || isOtherwise) && reading.error) ? <Fault error={fault} retry={retry} /> : null}
      {shown ? (
        <FieldsCard
          initial={initial}
          origin={`${fieldsOf ?? ''} ${shown.reading.headers.join()}`}
          reading={shown.reading}
          target={{
            file,
            dataset,
            datasetId: stored?.id,
            choices,
            replaces: replaces?.id,
            mayImport,
            isReady,
            isFaulty: fault !== null,
            isReading,
            stopReading,
            sourceOf,
          }}
          onSent={onSent}
        />
      ) : isReading ? (
        <>
          <div className="import-actions">
            <SendingPreview onStop={stopReading} />
          </div>
          <Skeleton blocks={2} />
        </>
      ) : fault ? null : (
        <Skeleton blocks={2} />
      )}
    </div>
  );
}
