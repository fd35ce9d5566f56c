import { useEffect, useState } from 'react';
import { fileIsSent, useSources, type ReadingChoices, type SourceFile } from '../../api/imports';
import { keepFocus } from '../../parts/focus';
import { PageHead } from '../../parts/frame';
import { Loaded } from '../../parts/states';
import { useText } from '../../text';
import { DropZone } from './drop-zone';
import { FileDesk } from './file-desk';
import { Outcome } from './outcome';

/** A file on its way in: where it goes, and how it is read beside what is detected. */
export interface Incoming {
  file: File;
  /** Null where the shape of the file says it; '' for a new source. */
  sourceId: string | null;
  dataset: string | null;
  choices: ReadingChoices;
  /** The file that this one corrects. */
  replaces: SourceFile | null;
}

const fresh = { sourceId: null, dataset: null, choices: {}, replaces: null } as const;

export default function Import() {
  const { importing } = useText();
  const sources = useSources();
  const [incoming, setIncoming] = useState<Incoming | null>(null);
  const [sent, setSent] = useState<SourceFile | null>(null);
  // The button that leads from one step to the next leaves with its step.
  const step = sent !== null ? 'sent' : incoming !== null ? 'reading' : 'choosing';
  useEffect(keepFocus, [step]);
  const take = (file: File): void => {
    setSent(null);
    setIncoming({ file, ...fresh });
  };
  const correct = (file: File, before: SourceFile): void => {
    setSent(null);
    setIncoming({
      file,
      sourceId: before.dataSourceId,
      dataset: before.metadata.dataset,
      choices: incoming?.choices ?? {},
      replaces: before,
    });
  };
  return (
    <>
      <PageHead name={importing.title} title={importing.title} hint={importing.hint} />
      <Loaded query={sources}>
        {({ items }) =>
          sent !== null ? (
            <Outcome
              sent={sent}
              onCorrect={correct}
              onNext={() => {
                setSent(null);
                setIncoming(null);
              }}
            />
          ) : incoming === null ? (
            <DropZone onFile={take} />
          ) : (
            <FileDesk
              key={`${incoming.file.name} ${incoming.file.lastModified} ${incoming.replaces?.id ?? ''}`}
              incoming={incoming}
              sources={items.filter(({ kind }) => kind !== 'api' && kind !== 'openfinance')}
              onChange={setIncoming}
              onFile={take}
              onLeave={() => setIncoming(null)}
              onSent={(file) => {
                setSent(file);
                void fileIsSent();
              }}
            />
          )
        }
      </Loaded>
    </>
  );
}
