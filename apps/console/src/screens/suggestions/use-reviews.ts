import { useCallback, useRef, useState } from 'react';
import { release } from '../../api/groups';
import { review, type ProposalAnswer, type ReviewAction } from '../../api/proposals';
import { isOutrun, tieout } from '../../api/client';
import { useToasts } from '../../parts/toasts';
import { useText } from '../../text';

const none: ReadonlySet<string> = new Set();

interface Decision {
  proposal: ProposalAnswer;
  action: ReviewAction;
  sent: Promise<boolean>;
}

/**
 * Decides at once on the screen; what the server refuses comes back with a message. Decisions are undone in turn. Where
 * somebody else was faster the list is read again.
 */
export function useReviews(reconciliationId: string, refresh: () => Promise<unknown>) {
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
      show(last.proposal.id);
      try {
        await takeBack(reconciliationId, last);
        toasts.say(suggestions.undone);
      } catch (error) {
        hide([last.proposal.id]);
        toasts.fail(error);
      }
    },
    [reconciliationId, suggestions, toasts],
  );

  const decide = useCallback(
    (proposal: ProposalAnswer, action: ReviewAction) => {
      hide([proposal.id]);
      const sent = review(reconciliationId, proposal, action).then(
        () => true,
        async (error: unknown) => {
          decisions.current = decisions.current.filter((other) => other !== decision);
          toasts.fail(error);
          if (isOutrun(error)) await refresh();
          show(proposal.id);
          return false;
        },
      );
      const decision = { proposal, action, sent };
      decisions.current.push(decision);
      const said = action === 'confirm' ? suggestions.confirmed : suggestions.rejected;
      void sent.then((isDone) => isDone && toasts.say(said, () => void undo(decision)));
    },
    [reconciliationId, refresh, suggestions, toasts, undo],
  );
  return { decided, hide, decide, undo: () => void undo() };
}

/** A confirmation is undone by releasing its group; a rejection is withdrawn. */
async function takeBack(reconciliationId: string, { proposal, action }: Decision): Promise<void> {
  if (action === 'reject') return review(reconciliationId, proposal, 'withdraw');
  const [record] = proposal.records;
  const { items } = await tieout.listMatchGroups({
    query: { reconciliationId, status: 'held', recordId: record?.record_id ?? '', limit: 25 },
  });
  const group = items.find(({ match_id: pair, composite_match_id: composite }) => (pair ?? composite) === proposal.id);
  if (group) await release(group, { reasonCode: 'other', allowAgain: true });
}
