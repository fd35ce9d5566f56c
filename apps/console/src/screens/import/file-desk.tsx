import { useMemo, useRef, useState } from 'react';
import { isRefused } from '../../api/client';
import {
  createSource,
  useAllDatasets,
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
import { mappingOf, offerOf, stemOf } from './mapping';
import { ReadingCard } from './reading-card';

interface FileDeskProps {
  incoming: Incoming & { sourceId: string };
  sources: readonly { id: string; name: string }[];
  /** Files of the source, the newest first. */
  earlier: readonly SourceFile[];
  onChange: (incoming: Incoming) => void;
  onFile: (file: File) => void;
  onSent: (file: SourceFile) => void;
}

const noFields: readonly StoredField[] = [];

/** A file before it is imported: where it goes, how it is read, and what its columns become. */
export function FileDesk({ incoming, sources, earlier, onChange, onFile, onSent }: FileDeskProps) {
  const { importing } = useText();
  const { file, replaces, sourceId } = incoming;
  const mayImport = useAllows('datasets:write');
  const [isFresh, setFresh] = useState(replaces !== null);
  const made = useRef<string>(null);
  const [newName, setNewName] = useState('');
  const plain = useReading(file, undefined, {});
  const offer = useMemo(
    () => (isFresh || plain.data === undefined ? null : offerOf(earlier, plain.data.headers)),
    [isFresh, plain.data, earlier],
  );
  const choices = Object.keys(incoming.choices).length > 0 ? incoming.choices : (offer?.choices ?? {});
  const dataset = incoming.dataset ?? offer?.dataset ?? stemOf(file.name);
  const datasets = useAllDatasets();
  const stored = datasets.data?.items.find(({ name }) => name === dataset);
  const reading = useReading(plain.data || plain.error ? file : null, dataset, choices);
  const fields = useStoredFields(stored?.id);
  const isReady =
    reading.data !== undefined &&
    !reading.isPlaceholderData &&
    datasets.data !== undefined &&
    (stored === undefined || fields.data !== undefined);
  const found = reading.data && isReady ? { reading: reading.data, stored, fields: fields.data ?? noFields } : null;
  // Nothing that is seen goes away while another reading or dataset loads: a click finds what it was meant for.
  const [shown, setShown] = useState(found);
  if (found && (found.reading !== shown?.reading || found.stored !== shown.stored || found.fields !== shown.fields))
    setShown(found);
  // A new name leaves the fields as they stand: they are seen, and what was changed in them is kept.
  const [fieldsOf, setFieldsOf] = useState(stored?.id);
  if (found?.stored && found.stored.id !== fieldsOf) setFieldsOf(found.stored.id);
  const initial = useMemo(() => (shown ? mappingOf(shown.fields, shown.reading) : []), [shown]);
  const fault = reading.error ?? datasets.error ?? fields.error;
  /** The file is refused as it is read: it may be read otherwise. */
  const isOtherwise = reading.error !== null && isRefused(reading.error);
  const retry = (): void => [reading, datasets, fields].forEach((one) => void (one.error && one.refetch()));
  const [typed, setTyped] = useState<string | null>(null);
  const rename = (): void => {
    const name = typed?.trim() ?? '';
    setTyped(null);
    if (name !== '' && name !== dataset) onChange({ ...incoming, dataset: name });
  };
  const sourceOf = async (): Promise<string> => {
    if (sourceId !== '') return sourceId;
    made.current ??= await createSource(newName.trim() || importing.title);
    return made.current;
  };
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
            value={sourceId}
            options={[...sources.map(({ id, name }) => [id, name] as const), ['', `${importing.newSource} …`]]}
            onPick={(id) => onChange({ ...incoming, sourceId: id, dataset: null })}
          />
          {sourceId === '' ? (
            <Field label={importing.sourceName}>
              <input className="input" value={newName} onChange={(event) => setNewName(event.target.value)} />
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
            sourceOf,
          }}
          onSent={onSent}
        />
      ) : fault ? null : (
        <Skeleton blocks={2} />
      )}
    </div>
  );
}
