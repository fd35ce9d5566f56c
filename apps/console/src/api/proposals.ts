import { useQuery } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { firstBatchSize, nextBatchSize } from './batch-size';
import { asTieoutError, isOutrun, tieout, type Schema } from './client';
import { groupsChanged, itemsChanged, throttled } from './groups';
import { usePages } from './pages';

export type ProposalAnswer = Schema<'Proposal'>;
export type ProposalQuery = NonNullable<Input<'listProposals'>['query']>;

const pageSize = 50;

export const proposalsKey = (id: string, filter: ProposalQuery) => ['reconciliation', id, 'proposals', filter];

/** Proposals of the latest run, the best first. */
export const useProposals = (id: string, filter: ProposalQuery) =>
  usePages({
    queryKey: proposalsKey(id, filter),
    read: (cursor, signal) =>
      tieout.listProposals({
        path: { id },
        query: { ...filter, limit: pageSize, ...(cursor && { cursor }) },
        signal,
      }),
    isStill: true,
  });

/** Counts the proposals that wait; null above 20,000. */
export const useProposalCount = (id: string, isAllowed: boolean) =>
  useQuery({
    queryKey: ['reconciliation', id, 'proposal-count'],
    queryFn: async ({ signal }) => (await tieout.listProposals({ path: { id }, query: { limit: 1 }, signal })).total,
    enabled: isAllowed,
    staleTime: 0,
  });

/** Other proposals that name a record. */
export const useRivals = (id: string, recordId: string | undefined) =>
  useQuery({
    queryKey: ['reconciliation', id, 'rivals', recordId],
    queryFn: ({ signal }) =>
      tieout.listProposals({ path: { id }, query: { recordId: recordId ?? '', limit: 5 }, signal }),
    enabled: recordId !== undefined,
  });

export type ReviewAction = 'confirm' | 'reject';

/**
 * Confirms or rejects a proposal, or withdraws its review.
 * @throws TieoutError conflict, which names the person who has decided before
 */
export async function review(
  reconciliationId: string,
  proposal: Pick<ProposalAnswer, 'id' | 'kind'>,
  action: ReviewAction | 'withdraw',
) {
  const input = { path: { id: proposal.id }, body: { action, unlessReviewed: true } };
  await throttled<unknown>(() =>
    proposal.kind === 'pair' ? tieout.reviewMatch(input) : tieout.reviewCompositeMatch(input),
  );
  void groupsChanged(reconciliationId);
  itemsChanged(reconciliationId);
}

/** All proposals that fit a filter, page after page, the best first. */
export async function* allProposals(
  id: string,
  filter: ProposalQuery,
  signal: AbortSignal,
): AsyncGenerator<ProposalAnswer[]> {
  let cursor: string | null | undefined;
  do {
    const query = { ...filter, limit: 100, ...(cursor && { cursor }) };
    const page = await tieout.listProposals({ path: { id }, query, signal });
    yield page.items;
    cursor = page.next_cursor;
  } while (cursor);
}

/** The outcome of many decisions, besides those that were reported as done. */
export interface ReviewAllOutcome {
  refused: number;
  /** The error that ended it early; undefined: it went to its end. */
  failure: unknown;
  /** The decisions that were sent last, if no answer tells whether they were taken. */
  unanswered: number;
}

/**
 * Confirms or rejects many proposals: pairs in batches, then composites one by one. It ends with the first failure. A
 * decision that was taken already may be sent again: it counts as done.
 * @param onDone gets the ids of the decided proposals
 */
export async function reviewAll(
  reconciliationId: string,
  proposals: readonly Pick<ProposalAnswer, 'id' | 'kind'>[],
  action: ReviewAction,
  onDone: (ids: readonly string[]) => void,
): Promise<ReviewAllOutcome> {
  const idsOf = (kind: ProposalAnswer['kind']): string[] =>
    proposals.filter((one) => one.kind === kind).map(({ id }) => id);
  const pairs = idsOf('pair');
  const outcome: ReviewAllOutcome = { refused: 0, failure: undefined, unanswered: 0 };
  let sent: readonly string[] = [];
  try {
    let size = firstBatchSize;
    for (let from = 0; from < pairs.length; from += sent.length) {
      sent = pairs.slice(from, from + size);
      const startedMs = performance.now();
      const { failed } = await tieout.reviewMatches({ body: { ids: [...sent], action, unlessReviewed: true } });
      size = nextBatchSize(size, performance.now() - startedMs);
      const not = new Set(failed.map(({ id }) => id));
      outcome.refused += not.size;
      onDone(sent.filter((id) => !not.has(id)));
    }
    for (const id of idsOf('composite')) {
      sent = [id];
      const isDone = await tieout.reviewCompositeMatch({ path: { id }, body: { action, unlessReviewed: true } }).then(
        () => true,
        (error: unknown) => {
          if (!isOutrun(error)) throw error;
          return false;
        },
      );
      if (isDone) onDone([id]);
      else outcome.refused++;
    }
  } catch (error) {
    outcome.failure = error;
    if (mayBeDone(error)) outcome.unanswered = sent.length;
  } finally {
    void groupsChanged(reconciliationId);
    itemsChanged(reconciliationId);
  }
  return outcome;
}

/** Returns whether the service may have done what failed. */
const mayBeDone = (error: unknown): boolean => {
  const { status } = asTieoutError(error);
  return status < 400 || status >= 500;
};
