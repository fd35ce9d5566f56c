import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { asTieoutError } from '../api/client';
import { useText } from '../text';
import { useFaultText } from './fault-text';

/** A page without content: why it has none, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Takes the place of what is loading. */
export function Skeleton({ blocks = 1 }: { blocks?: number }) {
  const { frame } = useText();
  return (
    <div role="status" className="skeletons">
      <span className="visually-hidden">{frame.loading}</span>
      {Array.from({ length: blocks }, (_, at) => (
        <span key={at} className="skeleton block" />
      ))}
    </div>
  );
}

/** A row of a list that has not been read. */
export function Waiting() {
  const { frame } = useText();
  return (
    <div className="item-row">
      <span className="skeleton wide" role="img" aria-label={frame.loading} />
    </div>
  );
}

/** Says what failed and why, with the id that finds the request in the logs. */
export function Fault({ error, retry }: { error: unknown; retry?: () => void }) {
  const { frame } = useText();
  const message = useFaultText()(error);
  const { status, requestId } = asTieoutError(error);
  if (status === 403) {
    return (
      <Empty title={frame.noPermission}>
        <p>{message}</p>
        <p>{frame.noPermissionHint}</p>
      </Empty>
    );
  }
  const isMissing = status === 404;
  return (
    <div className="state" role="alert">
      <h2>{isMissing ? frame.notThere : frame.failed}</h2>
      <p>{message}</p>
      {isMissing ? <p>{frame.notThereHint}</p> : null}
      {requestId === undefined ? null : <p className="mono">{frame.requestId(requestId)}</p>}
      {isMissing ? (
        <Link className="button" to="/">
          {frame.home}
        </Link>
      ) : retry ? (
        <button type="button" className="button" onClick={retry}>
          {frame.retry}
        </button>
      ) : null}
    </div>
  );
}

interface Loading<D> {
  data: D | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** Shows a query: its skeleton, its failure, or its data. Data that is there stays when a later request fails. */
export function Loaded<D>({
  query,
  skeleton,
  children,
}: {
  query: Loading<D>;
  skeleton?: ReactNode;
  children: (data: D) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Fault error={query.error} retry={() => void query.refetch()} />;
  return <>{skeleton ?? <Skeleton />}</>;
}
