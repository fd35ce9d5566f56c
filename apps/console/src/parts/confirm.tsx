import type { ReactNode } from 'react';
import { Dialog, DialogActions } from './dialog';

interface ConfirmProps {
  title: string;
  /** The text of the button that does it. */
  doIt: string;
  isBusy: boolean;
  isDanger?: boolean;
  onClose: () => void;
  onSubmit: (form: FormData) => void;
  children?: ReactNode;
}

/** Asks before something is done, with what it needs to know. Enter does it. */
export function Confirm({ title, doIt, isBusy, isDanger = false, onClose, onSubmit, children }: ConfirmProps) {
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
            {doIt}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
