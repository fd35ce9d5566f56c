import { useRef, useState } from 'react';
import { isOutrun } from '../../api/client';
import { release, tie, type GroupAnswer, type NewGroup } from '../../api/groups';
import { showRemaining } from '../../api/open-items';
import { useToasts } from '../../parts/toasts';
import { decimalOf, useText } from '../../text';
import { isUnanswered } from '../../text/refusal';
import type { AdjustLine } from './adjust-dialog';
import type { PartialRecord, Selection } from './selection';

const none: ReadonlySet<string> = new Set();

/** A match to be made of the selected records. */
export interface MatchDraft {
  body: NewGroup;
  selection: Selection;
  /** The record of which a part stays open. */
  partial?: PartialRecord | undefined;
  /** The adjustments as they were typed. */
  lines?: readonly AdjustLine[] | undefined;
}

interface Sent extends MatchDraft {
  /** Null: it was refused. */
  group: Promise<GroupAnswer | null>;
  /** False: the lists have been read again since. */
  isListed: boolean;
}

interface Handlers {
  readLists: () => Promise<unknown>;
  /** Receives a draft that the server has refused. */
  onRefused: (draft: MatchDraft, error: unknown) => void;
}

/** Returns the ids of the records that leave the lists with a match. */
const wholeRecordIds = ({ selection, partial }: MatchDraft): string[] =>
  [...selection.keys()].filter((id) => id !== partial?.item.record_id);

/**
 * Shows a match at once: its records leave the lists, and return with a message if the server refuses the match. The
 * lists are read again if another user was faster or no answer came. An undo that fails otherwise can be tried again.
 */
export function useMatching({ readLists, onRefused }: Handlers) {
  const { workbench } = useText();
  const toasts = useToasts();
  const [gone, setGone] = useState(none);
  const sent = useRef<Sent[]>([]);

  const hide = (draft: MatchDraft): void => {
    setGone((before) => new Set([...before, ...wholeRecordIds(draft)]));
    const { partial, body } = draft;
    if (partial) showRemaining(body.reconciliationId, partial.item.record_id, decimalOf(partial.open));
  };
  const show = (draft: MatchDraft): void => {
    const ids = new Set(wholeRecordIds(draft));
    setGone((before) => new Set([...before].filter((id) => !ids.has(id))));
    const { partial, body } = draft;
    if (partial) showRemaining(body.reconciliationId, partial.item.record_id, partial.item.remaining_amount);
  };

  /** Reads the lists again. They no longer hold the matched records, so none has to be hidden. */
  const refresh = (): void => {
    void readLists().then(() => {
      for (const one of sent.current) one.isListed = false;
      setGone(none);
    });
  };

  const undo = async (one = sent.current.at(-1)): Promise<void> => {
    if (one === undefined || !sent.current.includes(one)) return toasts.say(workbench.noUndo);
    sent.current = sent.current.filter((other) => other !== one);
    const group = await one.group;
    if (group === null) return;
    show(one);
    try {
      await release(group, { reasonCode: 'other', allowAgain: true });
      toasts.say(workbench.unmatched);
      if (!one.isListed) refresh();
    } catch (error) {
      toasts.fail(error);
      if (isOutrun(error)) return refresh();
      hide(one);
      sent.current.push(one);
      if (isUnanswered(error)) refresh();
    }
  };

  const match = (draft: MatchDraft): void => {
    hide(draft);
    const group = tie(draft.body).catch((error: unknown) => {
      show(draft);
      sent.current = sent.current.filter((other) => other !== one);
      if (isOutrun(error)) {
        toasts.fail(error);
        refresh();
      } else {
        onRefused(draft, error);
        if (isUnanswered(error)) refresh();
      }
      return null;
    });
    const one: Sent = { ...draft, group, isListed: true };
    sent.current.push(one);
    void group.then((made) => {
      if (made) toasts.say(made.status === 'pending' ? workbench.pending : workbench.matched, () => void undo(one));
    });
  };

  return { gone, match, undo: () => void undo(), refresh };
}
