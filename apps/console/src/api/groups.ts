import { useQuery } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { atMost } from './at-most';
import { queryClient, tieout, type Schema } from './client';
import { usePages } from './pages';

export type GroupAnswer = Schema<'MatchGroup'>;
export type NewGroup = Input<'createMatchGroup'>['body'];

/**
 * Marks as old what a change of groups changes, apart from lists that a person is looking at. Resolves once what is
 * shown of it has been read again.
 */
export async function groupsChanged(reconciliationId: string): Promise<void> {
  const parts = ['summary', 'groups', 'candidates'];
  await Promise.all(
    parts.map((part) => queryClient.invalidateQueries({ queryKey: ['reconciliation', reconciliationId, part] })),
  );
}

/** Marks lists of open items as old, for the screen that shows them next. */
export function itemsChanged(reconciliationId: string): void {
  void queryClient.invalidateQueries({
    queryKey: ['reconciliation', reconciliationId, 'open-items'],
    refetchType: 'none',
  });
}

/**
 * Runs matches and reviews, four at a time: they lock the items of their reconciliation, so more at once only wait for
 * each other, some for too long.
 */
export const throttled = atMost(4);

export async function tie(body: NewGroup): Promise<GroupAnswer> {
  const group = await throttled(() => tieout.createMatchGroup({ body }));
  void groupsChanged(body.reconciliationId);
  return group;
}

export interface ReleaseRequest {
  reasonCode: string;
  note?: string;
  allowAgain?: boolean;
  force?: boolean;
}

export async function release(group: Pick<GroupAnswer, 'id' | 'reconciliation_id'>, body: ReleaseRequest) {
  const released = await tieout.releaseMatchGroup({ path: { id: group.id }, body });
  void groupsChanged(group.reconciliation_id);
  itemsChanged(group.reconciliation_id);
  return released;
}

interface ProposalRef {
  id: string;
  records: readonly { record_id: string }[];
}

/** The group that a confirmed proposal has become, as long as it is not released. */
export async function groupOfProposal(
  reconciliationId: string,
  { id, records: [record] }: ProposalRef,
): Promise<GroupAnswer | undefined> {
  const query = { reconciliationId, recordId: record?.record_id ?? '', limit: 25 };
  const { items } = await tieout.listMatchGroups({ query });
  return items.find((group) => group.status !== 'released' && (group.match_id ?? group.composite_match_id) === id);
}

/** Lets a group hold that waits for a second person. Resolves once the group is shown as approved. */
export async function approve(group: Pick<GroupAnswer, 'id' | 'reconciliation_id'>): Promise<void> {
  await tieout.approveMatchGroup({ path: { id: group.id }, body: {} });
  await groupsChanged(group.reconciliation_id);
}

/** Releases a group that waits for a second person. */
export async function reject(
  group: Pick<GroupAnswer, 'id' | 'reconciliation_id'>,
  { reasonCode, note }: Pick<ReleaseRequest, 'reasonCode' | 'note'>,
): Promise<void> {
  await tieout.rejectMatchGroup({ path: { id: group.id }, body: { reasonCode, ...(note !== undefined && { note }) } });
  void groupsChanged(group.reconciliation_id);
  itemsChanged(group.reconciliation_id);
}

export type GroupQuery = NonNullable<Input<'listMatchGroups'>['query']>;

export const useGroups = (id: string, filter: GroupQuery) =>
  usePages({
    queryKey: ['reconciliation', id, 'groups', filter],
    read: (cursor, signal) =>
      tieout.listMatchGroups({
        query: { ...filter, reconciliationId: id, records: true, limit: 50, ...(cursor && { cursor }) },
        signal,
      }),
  });

/** Counts the match groups of a reconciliation that wait for a second person. */
export const usePendingCount = (id: string, isAllowed: boolean) =>
  useQuery({
    queryKey: ['reconciliation', id, 'groups', 'pending'],
    queryFn: async ({ signal }) =>
      (await tieout.listMatchGroups({ query: { reconciliationId: id, status: 'pending', limit: 1 }, signal })).total,
    enabled: isAllowed,
  });

export const useGroup = (reconciliationId: string, id: string) =>
  useQuery({
    queryKey: ['reconciliation', reconciliationId, 'groups', 'one', id],
    queryFn: ({ signal }) => tieout.getMatchGroup({ path: { id }, query: { records: true }, signal }),
  });

/** Audit entries of a group, newest first. */
export const useHistory = (reconciliationId: string, id: string, isAllowed: boolean) =>
  useQuery({
    queryKey: ['reconciliation', reconciliationId, 'groups', 'history', id],
    queryFn: ({ signal }) => tieout.listAudit({ query: { objectId: id, limit: 50 }, signal }),
    enabled: isAllowed,
  });
