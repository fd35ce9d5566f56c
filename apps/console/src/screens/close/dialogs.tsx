import { useState } from 'react';
import { queryClient, tieout } from '../../api/client';
import { lastDayOf, type Proof } from '../../api/periods';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Field, textIn } from '../../parts/form';
import { useSideNames } from '../../parts/sides';
import { readAmount, useFormats, useText } from '../../text';

export type PeriodAct = 'close' | 'reopen' | 'lock';

interface PeriodDialogProps {
  act: PeriodAct;
  reconciliationId: string;
  period: string;
  /** The checklist has points that are not done. */
  isUnfinished: boolean;
  onClose: () => void;
}

/** Asks before a month is closed, opened again or locked. */
export function PeriodDialog({ act, reconciliationId, period, isUnfinished, onClose }: PeriodDialogProps) {
  const { close } = useText();
  const formats = useFormats();
  const { isBusy, run } = useAction(['reconciliation', reconciliationId]);
  const path = { id: reconciliationId, period };
  const month = formats.month(period);
  const acts: Record<PeriodAct, (text: string) => Promise<string>> = {
    close: async (note) => {
      await tieout.closePeriod({ path, body: note === '' ? {} : { note } });
      return close.closed(month);
    },
    reopen: async (reason) => {
      const { reopened } = await tieout.reopenPeriod({ path, body: { reason } });
      return close.reopened(reopened.map((one) => formats.month(one)).join(', '));
    },
    lock: async () => {
      await tieout.lockPeriod({ path });
      return close.locked(month);
    },
  };
  const hints = { close: close.closeHint, reopen: close.reopenHint, lock: close.lockHint };
  return (
    <Confirm
      title={`${close[act]}: ${month}`}
      submitLabel={close[act]}
      isBusy={isBusy}
      isDanger={act !== 'close'}
      onClose={onClose}
      onSubmit={(form) => void run(() => acts[act](textIn(form, 'text'))).then((done) => done && onClose())}
    >
      <p>{hints[act]}</p>
      {act === 'close' && isUnfinished ? <p className="notice">{close.closeAnyway}</p> : null}
      {act === 'lock' ? null : (
        <Field label={act === 'reopen' ? close.why : close.note}>
          <input className="input" name="text" required={act === 'reopen'} maxLength={2_000} autoFocus />
        </Field>
      )}
    </Confirm>
  );
}

interface BalanceDialogProps {
  reconciliationId: string;
  period: string;
  proof: readonly Proof[];
  onClose: () => void;
}

/** Takes what a side has at the end of a day. */
export function BalanceDialog({ reconciliationId, period, proof, onClose }: BalanceDialogProps) {
  const { close } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  const [isWrong, setWrong] = useState(false);
  const { isBusy, run } = useAction(['reconciliation', reconciliationId]);
  const currencies = proof.map(({ currency }) => currency).filter((currency) => currency !== null);
  const hasLeft = proof.length > 0 && proof.every(({ balances }) => balances.left !== null);
  const submit = (form: FormData): void => {
    const amount = readAmount(textIn(form, 'amount'), formats.locale);
    setWrong(amount === null);
    if (amount === null) return;
    const currency = textIn(form, 'currency');
    const body = {
      side: textIn(form, 'side') as 'left' | 'right',
      date: textIn(form, 'date'),
      amount,
      ...(currency && { currency: currency.toUpperCase() }),
    };
    void run(async () => {
      await tieout.stateBalance({ path: { id: reconciliationId }, body });
      // The next balance to enter is that of the side which still lacks one.
      await queryClient.invalidateQueries({ queryKey: ['reconciliation', reconciliationId, 'summary'] });
      return close.balanceGiven;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm
      title={close.giveBalance}
      submitLabel={close.giveBalance}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="pair">
        <Field label={close.amount} wrong={isWrong ? close.amountWrong : undefined}>
          <input className="input amount" name="amount" inputMode="decimal" required autoComplete="off" />
        </Field>
        <Field label={close.side}>
          <select className="input" name="side" defaultValue={hasLeft ? 'right' : 'left'}>
            <option value="left">{sides.left}</option>
            <option value="right">{sides.right}</option>
          </select>
        </Field>
        <Field label={close.day}>
          <input className="input" name="date" type="date" required defaultValue={lastDayOf(period)} />
        </Field>
        {currencies.length > 0 ? (
          <Field label={close.currency}>
            <input className="input" name="currency" maxLength={10} defaultValue={currencies[0]} />
          </Field>
        ) : null}
      </div>
    </Confirm>
  );
}
