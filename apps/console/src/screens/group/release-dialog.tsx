import { useReasonCodes, type ReleaseRequest } from '../../api/groups';
import { Dialog, DialogActions } from '../../parts/dialog';
import { useText } from '../../text';

export function ReleaseDialog({
  onClose,
  onRelease,
}: {
  onClose: () => void;
  onRelease: (input: ReleaseRequest) => void;
}) {
  const { groups } = useText();
  const reasons = useReasonCodes();
  const send = (form: FormData): void => {
    const text = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    onRelease({
      reasonCode: text('reasonCode'),
      ...(text('note') !== '' && { note: text('note') }),
      ...(form.has('allowAgain') && { allowAgain: true }),
      ...(form.has('force') && { force: true }),
    });
  };
  return (
    <Dialog title={groups.releaseTitle} onClose={onClose}>
      <p className="soft">{groups.releaseHint}</p>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          send(new FormData(event.currentTarget));
        }}
      >
        <label className="field">
          <span>{groups.reason}</span>
          <select className="input" name="reasonCode" required autoFocus defaultValue="">
            <option value="" />
            {(reasons.data?.items ?? []).map(({ code, label }) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{groups.note}</span>
          <textarea className="input" name="note" rows={3} maxLength={2_000} />
        </label>
        <label className="check">
          <input type="checkbox" name="allowAgain" />
          <span>{groups.again}</span>
        </label>
        <label className="check">
          <input type="checkbox" name="force" />
          <span>{groups.force}</span>
        </label>
        <DialogActions onClose={onClose}>
          <button type="submit" className="button danger">
            {groups.release}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
