import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { asTieoutError } from '../api/client';
import { useText } from '../text';
import { Icon } from './icons';

interface Toast {
  id: number;
  text: string;
  isBad: boolean;
  undo?: (() => void) | undefined;
}

interface Toasts {
  /** Says what was done, with a way to take it back. */
  say(text: string, undo?: () => void): void;
  /** Says what the server has refused. */
  fail(error: unknown): void;
}

const context = createContext<Toasts | null>(null);
const shownMs = 8_000;

/** Holds at most three messages. One with a fault stays until it is dismissed. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { frame } = useText();
  const [toasts, setToasts] = useState<Toast[]>([]);
  const next = useRef(0);
  const dismiss = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const add = useCallback(
    (toast: Omit<Toast, 'id'>) => {
      const id = next.current++;
      setToasts((all) => [...all.slice(-2), { ...toast, id }]);
      if (!toast.isBad) setTimeout(() => dismiss(id), shownMs);
    },
    [dismiss],
  );
  const value = useMemo<Toasts>(
    () => ({
      say: (text, undo) => add({ text, undo, isBad: false }),
      fail: (error) => {
        const { message, requestId } = asTieoutError(error);
        add({ text: requestId === undefined ? message : `${message} (${frame.requestId(requestId)})`, isBad: true });
      },
    }),
    [add, frame],
  );
  return (
    <context.Provider value={value}>
      {children}
      <div className="toasts" role="status">
        {toasts.map((toast) => (
          <div key={toast.id} className={toast.isBad ? 'toast bad' : 'toast'}>
            <p>{toast.text}</p>
            {toast.undo ? (
              <button
                type="button"
                className="button"
                onClick={() => {
                  dismiss(toast.id);
                  toast.undo?.();
                }}
              >
                {frame.undo} <kbd>U</kbd>
              </button>
            ) : (
              <button type="button" className="button" aria-label={frame.dismiss} onClick={() => dismiss(toast.id)}>
                <Icon name="close" />
              </button>
            )}
          </div>
        ))}
      </div>
    </context.Provider>
  );
}

export function useToasts(): Toasts {
  const value = useContext(context);
  if (value === null) throw new Error('ToastProvider is missing');
  return value;
}
