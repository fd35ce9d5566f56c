import { useQuery } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { asTieoutError, tieout, type Schema } from './client';
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

/** Pairs in one request: few enough for a quick answer. */
const pairsPerRequest = 200;

/**
 * Confirms or rejects many proposals: pairs in batches, then composites one by one.
 * @param onDone gets the ids of the decided proposals
 * @returns the number of refused proposals
 */
export async function reviewAll(
  reconciliationId: string,
  proposals: readonly Pick<ProposalAnswer, 'id' | 'kind'>[],
  action: ReviewAction,
  onDone: (ids: readonly string[]) => void,
): Promise<number> {
  const idsOf = (kind: ProposalAnswer['kind']): string[] =>
    proposals.filter((one) => one.kind === kind).map(({ id }) => id);
  const pairs = idsOf('pair');
  let refused = 0;
  try {
    for (let from = 0; from < pairs.length; from += pairsPerRequest) {
      const ids = pairs.slice(from, from + pairsPerRequest);
      const { failed } = await tieout.reviewMatches({ body: { ids, action, unlessReviewed: true } });
      const not = new Set(failed.map(({ id }) => id));
      refused += not.size;
      onDone(ids.filter((id) => !not.has(id)));
    }
    for (const id of idsOf('composite')) {
      const isDone = await tieout.reviewCompositeMatch({ path: { id }, body: { action, unlessReviewed: true } }).then(
        () => true,
        (error: unknown) => {
          if (asTieoutError(error).status !== 409) throw error;
          return false;
        },
      );
      if (isDone) onDone([id]);
      else refused++;
    }
  } finally {
    void groupsChanged(reconciliationId);
    itemsChanged(reconciliationId);
  }
  return refused;
}
