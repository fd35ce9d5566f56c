import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useText } from '../text';
import { keepFocus } from './focus';
import { opened } from './top-dialog';

interface DialogProps {
  title: string;
  isWide?: boolean;
  /** Absent: only an action inside ends it. */
  onClose?: () => void;
  children: ReactNode;
}

/** Enter submits from a choice as from a line of text, and Ctrl+Enter from a text of several lines. */
function submitByKey(event: KeyboardEvent): void {
  const { target } = event;
  const isField = target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  if (event.key !== 'Enter' || !isField || event.repeat) return;
  if (target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  // A button that is disabled submits nothing.
  target.form?.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
}

/** The platform's own modal dialog, which holds the focus and gives it back; no library injects styles for it. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect ends while the dialog is in the page still: one that has left it gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    dialog.showModal();
    const closed = opened(dialog);
    return () => {
      closed();
      dialog.close();
      keepFocus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={titleId}
      onClose={() => {
        const dialog = ref.current;
        if (dialog === null || dialog.open) return;
        // The browser closes a dialog at the third Escape, whatever the page says.
        if (onClose) onClose();
        else dialog.showModal();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={submitByKey}
      onClick={(event) => {
        if (event.target === ref.current) onClose?.();
      }}
    >
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** The last line of a dialog: the way back, then what it is for. */
export function DialogActions({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { frame } = useText();
  return (
    <div className="dialog-actions">
      <button type="button" className="button quiet" onClick={onClose}>
        {frame.cancel}
      </button>
      {children}
    </div>
  );
}
