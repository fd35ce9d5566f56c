import { useState } from 'react';
import { reviewMany, type ProposalAnswer, type ReviewAction } from '../../api/proposals';
import { Dialog, DialogActions } from '../../parts/dialog';
import { useToasts } from '../../parts/toasts';
import { decimalOf, unitsOf, useFormats, useText } from '../../text';

/** Confirms or rejects all pairs that are shown, after it has said how many there are and what they add up to. */
export function BulkDialog({
  reconciliationId,
  proposals,
  onClose,
  onDone,
}: {
  reconciliationId: string;
  proposals: readonly ProposalAnswer[];
  onClose: () => void;
  onDone: (ids: readonly string[]) => void;
}) {
  const { suggestions } = useText();
  const formats = useFormats();
  const toasts = useToasts();
  const [isBusy, setBusy] = useState(false);
  const pairs = proposals.filter(({ kind }) => kind === 'pair').slice(0, 1_000);
  const sums = new Map<string, bigint>();
  for (const { records } of pairs) {
    const [first] = records;
    const currency = first?.currency ?? '';
    sums.set(currency, (sums.get(currency) ?? 0n) + (unitsOf(first?.remaining_amount ?? null) ?? 0n));
  }
  const sum = [...sums].map(([code, units]) => `${formats.amount(decimalOf(units), code)} ${code}`.trim()).join(', ');
  const send = async (action: ReviewAction): Promise<void> => {
    setBusy(true);
    const ids = pairs.map(({ id }) => id);
    try {
      const { done, failed } = await reviewMany(reconciliationId, ids, action);
      const refused = new Set(failed.map(({ id }) => id));
      toasts.say(suggestions.bulkDone(formats.count(done), formats.count(failed.length)));
      onDone(ids.filter((id) => !refused.has(id)));
      onClose();
    } catch (error) {
      toasts.fail(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={suggestions.bulkTitle} onClose={onClose}>
      <p>{suggestions.bulkHint(formats.count(pairs.length), sum)}</p>
      <DialogActions onClose={onClose}>
        <button
          type="button"
          className="button danger"
          disabled={isBusy || pairs.length === 0}
          onClick={() => void send('reject')}
        >
          {suggestions.bulkReject(formats.count(pairs.length))}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={isBusy || pairs.length === 0}
          onClick={() => void send('confirm')}
        >
          {suggestions.bulkConfirm(formats.count(pairs.length))}
        </button>
      </DialogActions>
    </Dialog>
  );
}
