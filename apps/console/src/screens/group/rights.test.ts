import { rightsOver } from './rights';

const by = (id: string) => ({ type: 'user' as const, id, label: null });
const byRun = { type: 'job' as const, id: 'j', label: null };
const approved = { status: 'approved' as const, decided_at: null, decided_by: null, note: null };
const preparer = { userId: 'me', mayWrite: true, mayApprove: false };
const approver = { ...preparer, mayApprove: true };
const viewer = { ...preparer, mayWrite: false };

describe('a match that waits for approval', () => {
  const made = (id: string) => ({
    status: 'pending' as const,
    origin: 'manual' as const,
    approval: null,
    held_by: by(id),
    confirmed_by: null,
  });

  test.each([
    [
      'its maker, who may take it back',
      'me',
      preparer,
      { mayApprove: false, undoAction: 'release', decider: 'another' },
    ],
    ['its maker, an approver', 'me', approver, { mayApprove: false, undoAction: 'reject', decider: 'another' }],
    ['another approver', 'x', approver, { mayApprove: true, undoAction: 'reject', decider: null }],
    ['another preparer', 'x', preparer, { mayApprove: false, undoAction: null, decider: 'approver' }],
    ['a viewer', 'x', viewer, { mayApprove: false, undoAction: null, decider: 'approver' }],
  ])('is offered to %s, as the service allows it', (_, maker, caller, rights) => {
    expect(rightsOver(made(maker), caller)).toEqual(rights);
  });
});

test('a match of a run is approved by another person than who confirmed it', () => {
  const group = { status: 'pending' as const, origin: 'confirmed' as const, approval: null, held_by: byRun };
  const rights = { undoAction: 'reject', decider: 'another', mayApprove: false };
  expect(rightsOver({ ...group, confirmed_by: by('me') }, approver)).toEqual(rights);
});

describe('a match that is held', () => {
  const held = { status: 'held' as const, origin: 'manual' as const, approval: null, confirmed_by: null };
  const ofRun = { ...held, held_by: byRun };

  test.each([
    ['of a run', { ...ofRun, origin: 'auto' as const }, 'release'],
    ['of a run, which they confirmed,', { ...ofRun, origin: 'confirmed' as const, confirmed_by: by('me') }, 'release'],
    ['of a run, which another confirmed,', { ...ofRun, origin: 'confirmed' as const, confirmed_by: by('x') }, null],
    ['of their own', { ...held, held_by: by('me') }, 'release'],
    ['of another person', { ...held, held_by: by('x') }, null],
    ['that another has approved', { ...held, held_by: by('me'), approval: approved }, null],
  ])('%s may be released by a preparer where nobody else has decided', (_, group, undoAction) => {
    const decider = undoAction === null ? 'releaser' : null;
    expect(rightsOver(group, preparer)).toEqual({ mayApprove: false, undoAction, decider });
    expect(rightsOver(group, approver)).toEqual({ mayApprove: false, undoAction: 'release', decider: null });
    expect(rightsOver(group, viewer)).toEqual({ mayApprove: false, undoAction: null, decider: 'preparer' });
  });
});
