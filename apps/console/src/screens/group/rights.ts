import type { GroupAnswer } from '../../api/groups';

interface Caller {
  /** Absent: the caller is a key. */
  userId: string | undefined;
  mayWrite: boolean;
  mayApprove: boolean;
}

export interface Rights {
  mayApprove: boolean;
  /** The way in which the caller may take the group apart; null: the caller may not. */
  takesApart: 'release' | 'reject' | null;
  /** The kind of person who must decide instead of the caller; null: none. */
  isFor: 'another' | 'approver' | 'releaser' | 'preparer' | null;
}

type Decided = Pick<GroupAnswer, 'status' | 'origin' | 'approval' | 'held_by' | 'confirmed_by'>;

/** Returns what a caller may do with a group, by the rules of the service. */
export function rightsOver(
  { status, origin, approval, held_by: maker, confirmed_by: confirmer }: Decided,
  { userId, mayWrite, mayApprove }: Caller,
): Rights {
  const { type, id } = confirmer ?? maker;
  const isOwn = userId !== undefined && type === 'user' && id === userId;
  if (status === 'pending')
    return {
      mayApprove: mayApprove && !isOwn,
      takesApart: mayApprove ? 'reject' : isOwn && mayWrite ? 'release' : null,
      isFor: isOwn ? 'another' : mayApprove ? null : 'approver',
    };
  const none = { mayApprove: false, takesApart: null } as const;
  if (status === 'released') return { ...none, isFor: null };
  if (!mayWrite) return { ...none, isFor: 'preparer' };
  const isDecided = approval?.status === 'approved' || (origin !== 'auto' && !isOwn);
  if (!mayApprove && userId !== undefined && isDecided) return { ...none, isFor: 'releaser' };
  return { mayApprove: false, takesApart: 'release', isFor: null };
}
