import { useQuery } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { tieout, type Schema } from './client';
import { groupsChanged, itemsChanged } from './groups';
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

/** Confirms or rejects a proposal, or withdraws its review. */
export async function review(
  reconciliationId: string,
  proposal: Pick<ProposalAnswer, 'id' | 'kind'>,
  action: ReviewAction | 'withdraw',
) {
  const input = { path: { id: proposal.id }, body: { action } };
  await (proposal.kind === 'pair' ? tieout.reviewMatch(input) : tieout.reviewCompositeMatch(input));
  groupsChanged(reconciliationId);
  itemsChanged(reconciliationId);
}

/** Confirms or rejects many pairs in one request. */
export async function reviewMany(reconciliationId: string, ids: string[], action: ReviewAction) {
  const outcome = await tieout.reviewMatches({ body: { ids, action } });
  groupsChanged(reconciliationId);
  itemsChanged(reconciliationId);
  return outcome;
}
