import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useText } from '../text';

interface DialogProps {
  title: string;
  isWide?: boolean;
  /** Absent: only an action inside ends it. */
  onClose?: () => void;
  children: ReactNode;
}

/** The platform's own modal dialog, which holds the focus and gives it back; no library injects styles for it. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
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
