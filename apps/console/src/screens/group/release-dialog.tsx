import type { ReleaseRequest } from '../../api/groups';
import { Confirm } from '../../parts/confirm';
import { Check, Field, textIn } from '../../parts/form';
import { ReasonField } from '../../parts/reasons';
import { useText } from '../../text';

interface ReleaseProps {
  isBusy: boolean;
  onClose: () => void;
  onRelease: (input: ReleaseRequest) => void;
}

export function ReleaseDialog({ isBusy, onClose, onRelease }: ReleaseProps) {
  const { groups } = useText();
  const submit = (form: FormData): void => {
    const note = textIn(form, 'note');
    onRelease({
      reasonCode: textIn(form, 'reasonCode'),
      ...(note && { note }),
      ...(form.has('allowAgain') && { allowAgain: true }),
      ...(form.has('force') && { force: true }),
    });
  };
  return (
    <Confirm
      title={groups.releaseTitle}
      submitLabel={groups.release}
      isDanger
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="soft">{groups.releaseHint}</p>
      <ReasonField label={groups.reason} isRequired autoFocus />
      <Field label={groups.note}>
        <textarea className="input" name="note" rows={3} maxLength={2_000} />
      </Field>
      <Check name="allowAgain" label={groups.again} />
      <Check name="force" label={groups.force} />
    </Confirm>
  );
}
