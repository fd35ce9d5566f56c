import { useRef, useState } from 'react';
import type { NewGroup } from '../../api/groups';
import { Dialog, DialogActions } from '../../parts/dialog';
import { Field } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { ReasonOptions } from '../../parts/reasons';
import { recordName } from '../../parts/words';
import { decimalOf, readAmount, unitsOf, useFormats, useText } from '../../text';
import type { PartialRecord, Sums } from './selection';

type Adjustment = NonNullable<NewGroup['adjustments']>[number];

/** An adjustment as it is typed. */
export interface AdjustLine {
  amount: string;
  reasonCode: string;
  note: string;
}

/** Explains what the selected records differ by: with adjustments, or by leaving a part of one record open. */
export function AdjustDialog({
  sums,
  partial,
  draft,
  onClose,
  onAdjust,
  onLeaveOpen,
}: {
  sums: Sums;
  partial: PartialRecord | undefined;
  /** Lines that were typed before, and could not be sent. */
  draft: readonly AdjustLine[] | undefined;
  onClose: () => void;
  onAdjust: (adjustments: Adjustment[], lines: readonly AdjustLine[]) => void;
  onLeaveOpen: () => void;
}) {
  const { workbench } = useText();
  const formats = useFormats();
  const [lines, setLines] = useState<readonly AdjustLine[]>(
    draft ?? [{ amount: plain(-sums.difference, formats.locale), reasonCode: '', note: '' }],
  );
  const change = (at: number, part: Partial<AdjustLine>): void =>
    setLines(lines.map((line, index) => (index === at ? { ...line, ...part } : line)));
  const adder = useRef<HTMLButtonElement>(null);
  const remove = (at: number): void => {
    setLines(lines.filter((_, index) => index !== at));
    // The focus would be lost with the button.
    adder.current?.focus();
  };
  const read = lines.map((line) => readAmount(line.amount, formats.locale));
  const explained = read.reduce((sum, amount) => sum + (unitsOf(amount) ?? 0n), 0n);
  const open = sums.difference + explained;
  const isComplete = open === 0n && read.every((amount) => amount !== null) && lines.every((line) => line.reasonCode);
  const shown = (units: bigint): string =>
    `${formats.amount(decimalOf(units), sums.currency)}${sums.currency === null ? '' : ` ${sums.currency}`}`;
  return (
    <Dialog title={workbench.adjustTitle} isWide onClose={onClose}>
      <p className="soft">{workbench.adjustHint(shown(sums.difference))}</p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onAdjust(
            lines.map(({ reasonCode, note }, at) => ({
              amount: read[at] ?? '0',
              reasonCode,
              ...(note.trim() !== '' && { note: note.trim() }),
            })),
            lines,
          );
        }}
      >
        {lines.map((line, at) => (
          <div className="adjustment" key={at}>
            <Field label={workbench.reason}>
              <select
                className="input"
                required
                autoFocus={at === 0}
                value={line.reasonCode}
                onChange={(event) => change(at, { reasonCode: event.target.value })}
              >
                <ReasonOptions />
              </select>
            </Field>
            <Field label={workbench.amount}>
              <input
                className="input amount"
                inputMode="decimal"
                required
                aria-invalid={read[at] === null}
                value={line.amount}
                onChange={(event) => change(at, { amount: event.target.value })}
              />
            </Field>
            <Field label={workbench.note}>
              <input
                className="input"
                maxLength={2_000}
                value={line.note}
                onChange={(event) => change(at, { note: event.target.value })}
              />
            </Field>
            {lines.length > 1 ? (
              <button
                type="button"
                className="icon-button"
                aria-label={workbench.removeLine(formats.count(at + 1))}
                onClick={() => remove(at)}
              >
                <Icon name="close" />
              </button>
            ) : null}
          </div>
        ))}
        <div className="columns">
          <button
            ref={adder}
            type="button"
            className="button quiet"
            onClick={() => setLines([...lines, { amount: plain(-open, formats.locale), reasonCode: '', note: '' }])}
          >
            {workbench.addLine}
          </button>
          <span className={open === 0n ? 'soft' : 'wrong'} role="status">
            {workbench.left(shown(open))}
          </span>
        </div>
        <DialogActions onClose={onClose}>
          {partial === undefined ? null : (
            <button
              type="button"
              className="button"
              onClick={onLeaveOpen}
              title={workbench.leaveOpenHint(shown(partial.open))}
            >
              {workbench.leaveOpen(recordName(partial.item))}
            </button>
          )}
          <button type="submit" className="button primary" disabled={!isComplete}>
            {workbench.match}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** An amount as the person would type it. */
const plain = (units: bigint, locale: string): string =>
  new Intl.NumberFormat(locale, { useGrouping: false, minimumFractionDigits: 2, maximumFractionDigits: 4 }).format(
    decimalOf(units) as Intl.StringNumericLiteral,
  );
