import { Link } from '@tanstack/react-router';
import { isEnded, useSourceFile, type SourceFile } from '../../api/imports';
import { useReconciliations } from '../../api/reconciliations';
import { useAllows, useMayMake } from '../../api/session';
import { RejectedRows } from '../../parts/rejected-rows';
import { Loaded } from '../../parts/states';
import { useFormats, useText } from '../../text';
import { readingText } from '../../text/reading';
import { FileButton } from './drop-zone';
import { Warnings } from './warnings';

/** Reconciliations that are named after an import. */
const maxShown = 3;

interface OutcomeProps {
  sent: SourceFile;
  onCorrect: (file: File, before: SourceFile) => void;
  onNext: () => void;
}

/** A file that is in: how far its rows are, what they became, and how rows that were not used are corrected. */
export function Outcome({ sent, onCorrect, onNext }: OutcomeProps) {
  const { importing } = useText();
  const query = useSourceFile(sent.dataSourceId, sent.id);
  return (
    <Loaded query={query}>
      {(file) => (
        <div className="import">
          <Result file={file} />
          <Rejects file={file} onCorrect={onCorrect} />
          {isEnded(file) ? (
            <div className="import-actions">
              {file.status === 'ready' ? <NextSteps datasetId={file.metadata.datasetId} /> : null}
              <button type="button" className="button" onClick={onNext}>
                {importing.next}
              </button>
            </div>
          ) : null}
        </div>
      )}
    </Loaded>
  );
}

/** Leads to the reconciliations of the dataset, or to a new one. */
function NextSteps({ datasetId }: { datasetId: string }) {
  const { importing } = useText();
  const { data } = useReconciliations(useAllows('reconciliations:read'));
  const mayMake = useMayMake();
  if (data === undefined) return null;
  const own = data.items.filter((one) => [...one.left_dataset_ids, ...one.right_dataset_ids].includes(datasetId));
  if (own.length === 0)
    return mayMake ? (
      <Link className="button primary" to="/" search={{ make: 'reconciliation' }}>
        {importing.makeReconciliation}
      </Link>
    ) : null;
  return own.slice(0, maxShown).map(({ id, name }) => (
    <Link key={id} className="button primary cut" to="/reconciliations/$id/workbench" params={{ id }}>
      <bdi>{importing.toReconciliation(name)}</bdi>
    </Link>
  ));
}

function Result({ file }: { file: SourceFile }) {
  const texts = useText();
  const { importing } = texts;
  const formats = useFormats();
  const { status, metadata } = file;
  const { percent } = metadata.progress;
  const figures = [
    [importing.ready, metadata.ready],
    [importing.failed, metadata.failed],
    [importing.rejected, metadata.rejected],
  ] as const;
  return (
    <section className="card import-result" aria-live="polite">
      <h2 id="import-state">
        {status === 'ready' ? importing.done : status === 'failed' ? importing.doneNot : importing.processing}
      </h2>
      <p className="soft">
        <bdi>{file.originalName}</bdi> → <bdi>{metadata.dataset}</bdi>
      </p>
      {isEnded(file) ? null : (
        <progress {...(percent === null ? {} : { value: percent / 100 })} aria-labelledby="import-state" />
      )}
      {status === 'failed' ? (
        <p className="notice bad" role="alert">
          {file.errorMessage ? readingText(file.errorMessage, texts) : metadata.errorCode}
        </p>
      ) : (
        <dl className="facts">
          {figures.map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="figure">{formats.count(count)}</dd>
            </div>
          ))}
        </dl>
      )}
      {metadata.duplicateOf ? <p className="notice">{importing.twice}</p> : null}
      <Warnings of={file.warnings} />
    </section>
  );
}

function Rejects({ file, onCorrect }: { file: SourceFile; onCorrect: OutcomeProps['onCorrect'] }) {
  const { importing } = useText();
  const seesRecords = useAllows('records:read');
  const { failed, rejected } = file.metadata;
  if (!isEnded(file) || failed + rejected === 0) return null;
  return (
    <>
      <div className="columns">
        <p className="soft">{importing.correctHint}</p>
        <FileButton text={importing.correct} onFile={(corrected) => onCorrect(corrected, file)} />
      </div>
      {seesRecords ? <RejectedRows file={file} /> : null}
    </>
  );
}
