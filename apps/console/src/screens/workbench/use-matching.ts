import { useCallback, useRef, useState } from 'react';
import { release, tie, type NewGroup } from '../../api/groups';
import { useToasts } from '../../parts/toasts';
import { useText } from '../../text';

const none: ReadonlySet<string> = new Set();

interface Done {
  group: { id: string; reconciliation_id: string };
  recordIds: readonly string[];
}

/**
 * Matches at once on the screen: the records leave the lists, and return with a message when the server refuses. A
 * record of which a part stays open returns too.
 */
export function useMatching() {
  const { workbench } = useText();
  const toasts = useToasts();
  const [gone, setGone] = useState(none);
  const done = useRef<Done[]>([]);
  const hide = (ids: readonly string[]): void => setGone((before) => new Set([...before, ...ids]));
  const show = (ids: readonly string[]): void =>
    setGone((before) => new Set([...before].filter((id) => !ids.includes(id))));

  const undo = useCallback(() => {
    const last = done.current.pop();
    if (last === undefined) return;
    show(last.recordIds);
    release(last.group, { reasonCode: 'other', allowAgain: true }).then(
      () => toasts.say(workbench.unmatched),
      (error: unknown) => {
        hide(last.recordIds);
        toasts.fail(error);
      },
    );
  }, [toasts, workbench]);

  const match = useCallback(
    (body: NewGroup, recordIds: readonly string[], onDone?: () => void) => {
      hide(recordIds);
      tie(body).then(
        (group) => {
          done.current.push({ group, recordIds });
          toasts.say(workbench.matched, undo);
          onDone?.();
        },
        (error: unknown) => {
          show(recordIds);
          toasts.fail(error);
        },
      );
    },
    [toasts, undo, workbench],
  );

  /** The lists have been read again: what was hidden is not in them. */
  const forget = useCallback(() => setGone(none), []);
  return { gone, match, undo, forget };
}
