import type { GroupAnswer } from '../../api/groups';

interface Caller {
  /** Absent: the caller is a key. */
  userId: string | undefined;
  mayWrite: boolean;
  mayApprove: boolean;
}

export interface Rights {
  mayApprove: boolean;
  /** The action by which the caller may undo the group; null: the caller may not. */
  undoAction: 'release' | 'reject' | null;
  /** The kind of person who must decide instead of the caller; null: none. */
  decider: 'another' | 'approver' | 'releaser' | 'preparer' | null;
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
      undoAction: mayApprove ? 'reject' : isOwn && mayWrite ? 'release' : null,
      decider: isOwn ? 'another' : mayApprove ? null : 'approver',
    };
  const none = { mayApprove: false, undoAction: null } as const;
  if (status === 'released') return { ...none, decider: null };
  if (!mayWrite) return { ...none, decider: 'preparer' };
  const isDecided = approval?.status === 'approved' || (origin !== 'auto' && !isOwn);
  if (!mayApprove && userId !== undefined && isDecided) return { ...none, decider: 'releaser' };
  return { mayApprove: false, undoAction: 'release', decider: null };
}
