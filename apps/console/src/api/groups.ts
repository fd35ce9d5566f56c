import { useQuery } from '@tanstack/react-query';
import type { Input } from '@tieout/client';
import { queryClient, tieout, type Schema } from './client';

export type MatchGroup = Schema<'MatchGroup'>;
export type NewGroup = Input<'createMatchGroup'>['body'];

/** Marks as old what a change of groups changes, apart from lists that a person is looking at. */
export function groupsChanged(reconciliationId: string): void {
  for (const part of ['summary', 'groups', 'candidates'])
    void queryClient.invalidateQueries({ queryKey: ['reconciliation', reconciliationId, part] });
}

/** Marks lists of open items as old, for the screen that shows them next. */
export function itemsChanged(reconciliationId: string): void {
  void queryClient.invalidateQueries({
    queryKey: ['reconciliation', reconciliationId, 'open-items'],
    refetchType: 'none',
  });
}

export async function tie(body: NewGroup): Promise<MatchGroup> {
  const group = await tieout.createMatchGroup({ body });
  groupsChanged(body.reconciliationId);
  return group;
}

export interface ReleaseInput {
  reasonCode: string;
  note?: string;
  allowAgain?: boolean;
  force?: boolean;
}

export async function release(group: Pick<MatchGroup, 'id' | 'reconciliation_id'>, body: ReleaseInput) {
  const released = await tieout.releaseMatchGroup({ path: { id: group.id }, body });
  groupsChanged(group.reconciliation_id);
  itemsChanged(group.reconciliation_id);
  return released;
}

export const useReasonCodes = () =>
  useQuery({
    queryKey: ['reason-codes'],
    queryFn: ({ signal }) => tieout.listReasonCodes({ signal }),
    staleTime: 300_000,
  });
