import { useState } from 'react';
import { fileIsSent, useSourceFiles, useSources, type ReadingChoices, type SourceFile } from '../../api/imports';
import { PageHead } from '../../parts/frame';
import { Fault, Loaded } from '../../parts/states';
import { useText } from '../../text';
import { DropZone } from './drop-zone';
import { FileDesk } from './file-desk';
import { Outcome } from './outcome';

/** A file on its way in: where it goes, and how it is read beside what is detected. */
export interface Incoming {
  file: File;
  sourceId: string | null;
  dataset: string | null;
  choices: ReadingChoices;
  /** The file that this one corrects. */
  replaces: SourceFile | null;
}

const isolated = { dataset: null, choices: {}, replaces: null } as const;

export default function Import() {
  const { importing } = useText();
  const sources = useSources();
  const [incoming, setIncoming] = useState<Incoming | null>(null);
  const [sent, setSent] = useState<SourceFile | null>(null);
  const take = (file: File): void => {
    setSent(null);
    setIncoming({ file, sourceId: incoming?.sourceId ?? null, ...isolated });
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
            <Prepared
              key={`${incoming.file.name} ${incoming.file.lastModified} ${incoming.replaces?.id ?? ''}`}
              incoming={incoming}
              sources={items}
              onChange={setIncoming}
              onFile={take}
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

interface PreparedProps {
  incoming: Incoming;
  sources: readonly { id: string; name: string; kind: string }[];
  onChange: (incoming: Incoming) => void;
  onFile: (file: File) => void;
  onSent: (file: SourceFile) => void;
}

/** Waits for the earlier files of the source: they say how the file is likely to be read. */
function Prepared({ incoming, sources, ...rest }: PreparedProps) {
  const ofFiles = sources.filter(({ kind }) => kind !== 'api' && kind !== 'openfinance');
  const sourceId = incoming.sourceId ?? ofFiles[0]?.id ?? '';
  const files = useSourceFiles(sourceId === '' ? undefined : sourceId);
  if (files.error) return <Fault error={files.error} retry={() => void files.refetch()} />;
  if (sourceId !== '' && files.data === undefined) return null;
  return (
    <FileDesk
      key={sourceId}
      incoming={{ ...incoming, sourceId }}
      sources={ofFiles}
      earlier={files.data ?? []}
      {...rest}
    />
  );
}
