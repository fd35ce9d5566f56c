import { useState } from 'react';
import { asTieoutError } from '../api/client';
import { signIn, signInByProvider, type Arrival, type TenantOption } from '../api/session';
import { useText } from '../text';
import { useFaultText } from './fault-text';
import { ProviderSignIn } from './provider-sign-in';
import { textIn, typedIn } from './form';

interface SignInFormProps {
  /** The reason for which the page could not use a session. */
  failed?: unknown;
  /** The person has come back from the identity provider. */
  arrival?: Arrival | undefined;
  /** The person who is to sign in again. */
  email?: string | undefined;
  onSignedIn: () => void;
}

export function SignInForm({ failed, arrival, email, onSignedIn }: SignInFormProps) {
  const { signIn: texts } = useText();
  const faultText = useFaultText();
  const [byKey, setByKey] = useState(false);
  const arrived = arrival?.failure === undefined ? null : (texts.arrivals[arrival.failure] ?? texts.arrivals['failed']);
  const [fault, setFault] = useState(failed === undefined ? (arrived ?? null) : faultText(failed));
  const [isBusy, setBusy] = useState(false);
  const [tenants, setTenants] = useState<readonly TenantOption[]>(arrival?.tenants ?? []);
  const isByProvider = (arrival?.tenants.length ?? 0) > 0;
  const submit = async (form: FormData): Promise<void> => {
    setBusy(true);
    try {
      const tenantId = textIn(form, 'tenantId');
      if (isByProvider && !byKey) {
        await signInByProvider(tenantId);
        return onSignedIn();
      }
      const choices = await signIn(
        byKey
          ? { apiKey: textIn(form, 'apiKey') }
          : { email: textIn(form, 'email'), password: typedIn(form, 'password'), ...(tenantId !== '' && { tenantId }) },
      );
      setTenants(choices);
      if (choices.length > 0) return;
      onSignedIn();
    } catch (error) {
      const isWrong = asTieoutError(error).status === 401 && (byKey || !isByProvider);
      setFault(isWrong ? (byKey ? texts.wrongKey : texts.wrong) : faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="form"
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
      ) : isByProvider ? null : (
        <>
          <label className="field" key="email">
            <span>{texts.email}</span>
            <input
              className="input"
              name="email"
              type="email"
              required
              defaultValue={email}
              autoComplete="username"
              autoFocus={email === undefined}
            />
          </label>
          <label className="field">
            <span>{texts.password}</span>
            <input
              className="input"
              name="password"
              type="password"
              required
              autoComplete="current-password"
              autoFocus={email !== undefined}
            />
          </label>
        </>
      )}
      {byKey || tenants.length === 0 ? null : (
        <label className="field">
          <span>{texts.tenant}</span>
          <select className="input" name="tenantId" required autoFocus>
            {tenants.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {fault === null ? null : (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" className="button primary" disabled={isBusy}>
        {texts.submit}
      </button>
      {byKey || isByProvider ? null : <ProviderSignIn />}
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
