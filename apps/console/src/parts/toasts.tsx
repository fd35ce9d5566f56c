import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { asTieoutError } from '../api/client';
import { useText } from '../text';
import { useFaultText } from './fault-text';
import { Icon } from './icons';
import { useTopDialog } from './top-dialog';

interface ToastAction {
  label: string;
  /** The key that does the same. */
  shortcut?: string;
  run: () => void;
}

interface Toast {
  id: number;
  text: string;
  isBad: boolean;
  action?: ToastAction | undefined;
}

interface Toasts {
  /** Says what was done, with a way to take it back. */
  say(text: string, undo?: () => void): void;
  /** Says what the server has refused, with what was done of it and what can be done about it. */
  fail(error: unknown, more?: FailureDetails): void;
}

interface FailureDetails {
  /** A sentence about the part that was done before it failed. */
  done?: string;
  action?: ToastAction | undefined;
}

const context = createContext<Toasts | null>(null);
const shownMs = 8_000;
const maxShown = 3;

/** Adds a toast. It replaces earlier messages, but an error stays until enough other errors have followed. */
function withToast(toasts: readonly Toast[], toast: Toast): Toast[] {
  return [...toasts.filter(({ isBad }) => isBad).slice(1 - maxShown), toast];
}

/** Shows messages above the screen, in the uppermost dialog where one is open. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { frame } = useText();
  const faultText = useFaultText();
  const [toasts, setToasts] = useState<Toast[]>([]);
  const next = useRef(0);
  const top = useTopDialog();
  const dismiss = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const add = useCallback(
    (toast: Omit<Toast, 'id'>) => {
      const id = next.current++;
      setToasts((all) => withToast(all, { ...toast, id }));
      if (!toast.isBad) setTimeout(() => dismiss(id), shownMs);
    },
    [dismiss],
  );
  const value = useMemo<Toasts>(
    () => ({
      say: (text, undo) => add({ text, isBad: false, action: undo && { label: frame.undo, shortcut: 'U', run: undo } }),
      fail: (error, { done, action } = {}) => {
        const { requestId } = asTieoutError(error);
        const message = done === undefined ? faultText(error) : `${done} ${faultText(error)}`;
        const text = requestId === undefined ? message : `${message} (${frame.requestId(requestId)})`;
        add({ text, isBad: true, action });
      },
    }),
    [add, frame, faultText],
  );
  const messages = (
    <div className="toasts" role="status">
      {toasts.map((toast) => (
        <div key={toast.id} className={toast.isBad ? 'toast bad' : 'toast'}>
          <p>{toast.text}</p>
          {toast.action ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                dismiss(toast.id);
                toast.action?.run();
              }}
            >
              {toast.action.label} {toast.action.shortcut ? <kbd>{toast.action.shortcut}</kbd> : null}
            </button>
          ) : null}
          {toast.action && !toast.isBad ? null : (
            <button type="button" className="button" aria-label={frame.dismiss} onClick={() => dismiss(toast.id)}>
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
    </div>
  );
  return (
    <context.Provider value={value}>
      {children}
      {createPortal(messages, top ?? document.body)}
    </context.Provider>
  );
}

export function useToasts(): Toasts {
  const value = useContext(context);
  if (value === null) throw new Error('ToastProvider is missing');
  return value;
}
