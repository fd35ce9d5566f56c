import { tieout, type Schema } from './client';
import type { Run } from './reconciliations';

const whileActiveMs = 1_000;

export const isActive = ({ status }: Pick<Run, 'status'>): boolean => status === 'queued' || status === 'running';

export const runQuery = (id: string) => ({
  queryKey: ['run', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => tieout.getMatchingJob({ path: { id }, signal }),
  refetchInterval: ({ state: { data } }: { state: { data: Run | undefined } }) =>
    data !== undefined && isActive(data) ? whileActiveMs : (false as const),
});

export const reasonsQuery = {
  queryKey: ['reason-codes'],
  queryFn: ({ signal }: { signal: AbortSignal }) => tieout.listReasonCodes({ signal }),
  staleTime: 300_000,
};

export type RunPass = Schema<'MatchingJobRuleSet'>;
export type ListedChange = Schema<'RunChange'>;
export type ListedChangeKind = ListedChange['kind'];
