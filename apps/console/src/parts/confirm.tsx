import type { ReactNode } from 'react';
import { Dialog, DialogActions } from './dialog';

interface ConfirmProps {
  title: string;
  /** The text of the button that does it. */
  submitLabel: string;
  isBusy: boolean;
  isDanger?: boolean;
  onClose: () => void;
  onSubmit: (form: FormData) => void;
  children?: ReactNode;
}

/** A dialog that asks the user to confirm an action; the children are inputs that the action needs. */
export function Confirm({ title, submitLabel, isBusy, isDanger = false, onClose, onSubmit, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}
      >
        {children}
        <DialogActions onClose={onClose}>
          <button type="submit" className={isDanger ? 'button danger' : 'button primary'} disabled={isBusy}>
            {submitLabel}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
