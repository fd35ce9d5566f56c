import { useEffect, useState } from 'react';
import { allProposals, reviewAll, type ProposalQuery, type ReviewAction } from '../../api/proposals';
import { Dialog, DialogActions } from '../../parts/dialog';
import { Fault } from '../../parts/states';
import { useToasts } from '../../parts/toasts';
import { decimalOf, useFormats, useText } from '../../text';
import { addToChoice, emptyChoice, type BulkChoice } from './bulk';

interface BulkDialogProps {
  reconciliationId: string;
  filter: ProposalQuery;
  /** Proposals that are decided on the screen already. */
  decided: ReadonlySet<string>;
  onClose: () => void;
  onDone: (ids: readonly string[]) => Promise<void>;
}

/** Confirms or rejects all that fits the filter, after it has said how many there are and what they add up to. */
export function BulkDialog({ reconciliationId, filter, decided, onClose, onDone }: BulkDialogProps) {
  const { suggestions } = useText();
  const formats = useFormats();
  const toasts = useToasts();
  const [read, setRead] = useState(0);
  const [choice, setChoice] = useState<BulkChoice | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [done, setDone] = useState<number | null>(null);
  const [first] = useState({ reconciliationId, filter, decided });
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const gather = async (): Promise<void> => {
      const [found, taken] = [emptyChoice(), new Set<string>()];
      for await (const page of allProposals(first.reconciliationId, first.filter, signal)) {
        addToChoice(
          found,
          taken,
          page.filter(({ id }) => !first.decided.has(id)),
        );
        setRead(found.chosen.length + found.rivals.length);
      }
      setChoice(found);
    };
    gather().catch((error: unknown) => signal.aborted || setFailure(error));
    return () => stopped.abort();
  }, [first]);
  const send = async (action: ReviewAction): Promise<void> => {
    if (choice === null) return;
    setDone(0);
    const all = action === 'confirm' ? choice.chosen : [...choice.chosen, ...choice.rivals];
    const decidedNow: string[] = [];
    const { refused, failure, unanswered } = await reviewAll(reconciliationId, all, action, (ids) => {
      decidedNow.push(...ids);
      setDone(decidedNow.length);
    });
    if (failure === undefined) {
      const texts = action === 'confirm' ? suggestions.bulkDone : suggestions.bulkRejected;
      toasts.say(texts(formats.counted(decidedNow.length), formats.count(refused)));
    } else {
      const { count } = formats;
      const notSent = all.length - decidedNow.length - refused - unanswered;
      const parts = [count(decidedNow.length), count(refused), count(unanswered), count(notSent)] as const;
      toasts.fail(failure, { done: suggestions.bulkStopped(...parts) });
    }
    await onDone(decidedNow);
    onClose();
  };
  const sum = [...(choice?.sums ?? [])]
    .map(([code, units]) => `${formats.amount(decimalOf(units), code)} ${code}`.trim())
    .join(', ');
  const chosen = choice?.chosen.length ?? 0;
  const rivals = choice?.rivals.length ?? 0;
  const isBusy = choice === null || done !== null;
  return (
    <Dialog title={suggestions.bulkTitle} {...(done === null ? { onClose } : {})}>
      {failure ? (
        <Fault error={failure} />
      ) : choice === null ? (
        <p role="status">{suggestions.bulkReading(formats.count(read))}</p>
      ) : (
        <>
          <p>{suggestions.bulkHint(formats.counted(chosen), sum)}</p>
          {rivals > 0 ? <p className="soft">{suggestions.bulkRivals(formats.counted(rivals))}</p> : null}
          {done === null ? null : <p role="status">{suggestions.bulkAt(formats.counted(done))}</p>}
        </>
      )}
      <DialogActions onClose={onClose}>
        <button
          type="button"
          className="button danger"
          disabled={isBusy || chosen + rivals === 0}
          onClick={() => void send('reject')}
        >
          {suggestions.bulkReject(formats.count(chosen + rivals))}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={isBusy || chosen === 0}
          onClick={() => void send('confirm')}
        >
          {suggestions.bulkConfirm(formats.count(chosen))}
        </button>
      </DialogActions>
    </Dialog>
  );
}
