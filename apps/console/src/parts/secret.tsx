import { useText } from '../text';
import { Dialog } from './dialog';
import { useToasts } from './toasts';

interface SecretProps {
  title: string;
  hint?: string;
  secret: string;
  onClose: () => void;
}

/** Shows a secret that the service returns only once. */
export function Secret({ title, hint, secret, onClose }: SecretProps) {
  const { settings } = useText();
  const toasts = useToasts();
  const copy = (): void => {
    navigator.clipboard.writeText(secret).then(
      () => toasts.say(settings.copied),
      (error: unknown) => toasts.fail(error),
    );
  };
  return (
    <Dialog title={title}>
      <p>{hint ?? settings.once}</p>
      <p className="mono secret">{secret}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={copy}>
          {settings.copy}
        </button>
        <button type="button" className="button primary" autoFocus onClick={onClose}>
          {settings.done}
        </button>
      </div>
    </Dialog>
  );
}
