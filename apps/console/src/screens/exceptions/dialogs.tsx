import { useState } from 'react';
import type { Schema } from '../../api/client';
import { callerName, useSession } from '../../api/session';
import { Confirm } from '../../parts/confirm';
import { Check, Field, textIn } from '../../parts/form';
import { ReasonField } from '../../parts/reasons';
import { useFormats, useText } from '../../text';
import { changeOf, editOf, todayIn, type AnnotationForm, type ItemChange } from './annotations';

interface AnnotateProps {
  items: readonly Schema<'OpenItem'>[];
  /** The time zone of the reconciliation. */
  timezone: string;
  isBusy: boolean;
  onClose: () => void;
  onSet: (set: ItemChange) => void;
}

/** Annotates items. The form shows the annotations of a single item, and is empty for several. */
export function AnnotateDialog({ items, timezone, isBusy, onClose, onSet }: AnnotateProps) {
  const { exceptions } = useText();
  const formats = useFormats();
  const me = callerName(useSession().me);
  const [first] = items;
  const one = items.length === 1 ? first : undefined;
  const today = todayIn(timezone);
  // The fields keep what they showed first, though the item may be read again while they are open.
  const [shown] = useState<AnnotationForm>({
    assignee: one?.assignee ?? '',
    reasonCode: one?.reason_code ?? '',
    note: one?.note ?? '',
    snoozedUntil: one?.snoozed_until && one.snoozed_until >= today ? one.snoozed_until : '',
  });
  const submit = (form: FormData): void => {
    const given: AnnotationForm = {
      assignee: textIn(form, 'assignee'),
      reasonCode: textIn(form, 'reasonCode'),
      note: textIn(form, 'note'),
      snoozedUntil: textIn(form, 'snoozedUntil'),
    };
    onSet(one ? editOf(given, shown) : changeOf(given, form.has('clear')));
  };
  const count = formats.count(items.length);
  return (
    <Confirm
      title={one ? (one.external_id ?? exceptions.annotate) : `${exceptions.annotate}: ${exceptions.selected(count)}`}
      submitLabel={exceptions.save}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="pair">
        <ReasonField label={exceptions.reason} preset={shown.reasonCode} autoFocus />
        <Field label={exceptions.assignee}>
          <input className="input" name="assignee" maxLength={200} placeholder={me} defaultValue={shown.assignee} />
        </Field>
      </div>
      <Field label={exceptions.comment}>
        <textarea className="input" name="note" rows={3} maxLength={2_000} defaultValue={shown.note} />
      </Field>
      <Field label={exceptions.snoozeUntil} hint={exceptions.inZone(timezone)}>
        <input className="input" name="snoozedUntil" type="date" min={today} defaultValue={shown.snoozedUntil} />
      </Field>
      {one ? null : (
        <>
          <p className="soft">{exceptions.keep}</p>
          <Check name="clear" label={exceptions.clear} />
        </>
      )}
    </Confirm>
  );
}

interface ExcludeProps {
  count: number;
  isBusy: boolean;
  onClose: () => void;
  onSet: (set: ItemChange) => void;
}

export function ExcludeDialog({ count, isBusy, onClose, onSet }: ExcludeProps) {
  const { exceptions } = useText();
  const formats = useFormats();
  const submit = (form: FormData): void => {
    const note = textIn(form, 'note');
    onSet({ excluded: { reasonCode: textIn(form, 'reasonCode'), ...(note && { note }) } });
  };
  return (
    <Confirm
      title={`${exceptions.exclude}: ${exceptions.selected(formats.count(count))}`}
      submitLabel={exceptions.exclude}
      isDanger
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{exceptions.excludeHint}</p>
      <ReasonField label={exceptions.reason} isRequired autoFocus />
      <Field label={exceptions.comment}>
        <input className="input" name="note" maxLength={2_000} />
      </Field>
    </Confirm>
  );
}
