import { useCallback, useRef, useState } from 'react';
import { groupOfProposal, release } from '../../api/groups';
import { review, type ProposalAnswer, type ReviewAction } from '../../api/proposals';
import { isOutrun } from '../../api/client';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { useToasts } from '../../parts/toasts';
import { useText } from '../../text';

const none: ReadonlySet<string> = new Set();

type Reviewed = Pick<ReconciliationAnswer, 'id' | 'approval_above'>;

interface Decision {
  proposal: ProposalAnswer;
  action: ReviewAction;
  sent: Promise<boolean>;
}

/**
 * Shows a decision at once. After a failure a message says why, and the list is read again: it tells whether the
 * decision was taken. Undo goes from the latest decision back. An undo that fails can be tried again, unless another
 * user was faster.
 */
export function useReviews(
  { id: reconciliationId, approval_above: limit }: Reviewed,
  refresh: () => Promise<unknown>,
  onBack: (id: string) => void,
) {
  const { suggestions } = useText();
  const toasts = useToasts();
  const [decided, setDecided] = useState(none);
  const decisions = useRef<Decision[]>([]);
  const hide = (ids: readonly string[]): void => setDecided((before) => new Set([...before, ...ids]));
  const show = (id: string): void => setDecided((before) => new Set([...before].filter((one) => one !== id)));

  const undo = useCallback(
    async (last = decisions.current.at(-1)) => {
      if (last === undefined || !decisions.current.includes(last)) return toasts.say(suggestions.noUndo);
      decisions.current = decisions.current.filter((other) => other !== last);
      if (!(await last.sent)) return;
      onBack(last.proposal.id);
      show(last.proposal.id);
      try {
        await takeBack(reconciliationId, last);
        toasts.say(suggestions.undone);
        // The list may have been read while the rejection stood.
        if (last.action === 'reject') await refresh();
      } catch (error) {
        toasts.fail(error);
        if (isOutrun(error)) return void (await refresh());
        hide([last.proposal.id]);
        decisions.current.push(last);
      }
    },
    [reconciliationId, refresh, onBack, suggestions, toasts],
  );

  const decide = useCallback(
    (proposal: ProposalAnswer, action: ReviewAction) => {
      // A second press may come before the next proposal is in sight.
      if (decisions.current.some((one) => one.proposal.id === proposal.id)) return;
      hide([proposal.id]);
      const sent = review(reconciliationId, proposal, action).then(
        () => true,
        async (error: unknown) => {
          decisions.current = decisions.current.filter((other) => other !== decision);
          toasts.fail(error);
          await refresh();
          show(proposal.id);
          return false;
        },
      );
      const decision = { proposal, action, sent };
      decisions.current.push(decision);
      void sent.then(async (isDone) => {
        if (!isDone) return;
        const waits = action === 'confirm' && limit !== null && (await isPending(reconciliationId, proposal));
        const said = waits ? suggestions.pending : suggestions[action === 'confirm' ? 'confirmed' : 'rejected'];
        toasts.say(said, () => void undo(decision));
      });
    },
    [reconciliationId, limit, refresh, suggestions, toasts, undo],
  );
  return { decided, hide, decide, undo: () => void undo() };
}

/** Says whether a confirmation waits for another person. A question that fails changes nothing about it. */
const isPending = (reconciliationId: string, proposal: ProposalAnswer): Promise<boolean> =>
  groupOfProposal(reconciliationId, proposal).then(
    (group) => group?.status === 'pending',
    () => false,
  );

/** A confirmation is undone by releasing its group; a rejection is withdrawn. */
async function takeBack(reconciliationId: string, { proposal, action }: Decision): Promise<void> {
  if (action === 'reject') return review(reconciliationId, proposal, 'withdraw');
  const group = await groupOfProposal(reconciliationId, proposal);
  if (group) await release(group, { reasonCode: 'other', allowAgain: true });
}
