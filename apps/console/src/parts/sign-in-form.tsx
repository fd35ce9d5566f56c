import { useState } from 'react';
import { asTieoutError } from '../api/client';
import { signIn } from '../api/session';
import { useText } from '../text';

export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { signIn: texts } = useText();
  const [byKey, setByKey] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: FormData): Promise<void> => {
    const value = (name: string): string => {
      const given = form.get(name);
      return typeof given === 'string' ? given : '';
    };
    setBusy(true);
    try {
      await signIn(
        byKey ? { apiKey: value('apiKey').trim() } : { email: value('email').trim(), password: value('password') },
      );
      onSignedIn();
    } catch (error) {
      const { status, message } = asTieoutError(error);
      setFault(status === 401 ? (byKey ? texts.wrongKey : texts.wrong) : message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      {byKey ? (
        <label className="field" key="key">
          <span>{texts.apiKey}</span>
          <input className="input" name="apiKey" type="password" required autoComplete="off" autoFocus />
        </label>
      ) : (
        <>
          <label className="field" key="email">
            <span>{texts.email}</span>
            <input className="input" name="email" type="email" required autoComplete="username" autoFocus />
          </label>
          <label className="field">
            <span>{texts.password}</span>
            <input className="input" name="password" type="password" required autoComplete="current-password" />
          </label>
        </>
      )}
      {fault === null ? null : (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" className="button primary" disabled={isBusy}>
        {texts.submit}
      </button>
      <button
        type="button"
        className="text-button"
        onClick={() => {
          setByKey(!byKey);
          setFault(null);
        }}
      >
        {byKey ? texts.withPassword : texts.withKey}
      </button>
    </form>
  );
}
