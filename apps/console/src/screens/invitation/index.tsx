import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { asTieoutError } from '../../api/client';
import { acceptInvitation, callerName, useSession } from '../../api/session';
import { useFaultText } from '../../parts/fault-text';
import { Field, typedIn } from '../../parts/form';
import { EntryPage } from '../../parts/frame';
import { useText } from '../../text';

interface Refusal {
  field: 'password' | 'repeat' | null;
  message: string;
}

/** The page of an invitation: the person sets the password, and is signed in. */
export default function Invitation() {
  // The token is in the fragment of the URL, which browsers never send to a server.
  const token = useRouterState({ select: ({ location }) => location.hash });
  // A second link that is opened in the same window has its own form.
  return <InvitationOf key={token} token={token} />;
}

function InvitationOf({ token }: { token: string }) {
  const { signIn } = useText();
  const { me } = useSession();
  const [isVoid, setVoid] = useState(token === '');
  const texts = signIn.invitation;
  if (isVoid) {
    return (
      <EntryPage title={texts.void}>
        <p role="alert">{texts.voidHint}</p>
        <Link className="button primary" to="/" autoFocus>
          {me === null ? texts.toSignIn : texts.toConsole}
        </Link>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={texts.title}>
      <p className="soft">{texts.hint}</p>
      {me === null ? null : <p className="notice">{texts.signedInAs(callerName(me))}</p>}
      <PasswordForm token={token} onVoid={() => setVoid(true)} />
    </EntryPage>
  );
}

function PasswordForm({ token, onVoid }: { token: string; onVoid: () => void }) {
  const { invitation: texts } = useText().signIn;
  const navigate = useNavigate();
  const faultText = useFaultText();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: FormData): Promise<void> => {
    const password = typedIn(form, 'password');
    if (password !== typedIn(form, 'repeat')) return setRefusal({ field: 'repeat', message: texts.different });
    setRefusal(null);
    setBusy(true);
    try {
      await acceptInvitation(token, password);
      await navigate({ to: '/', replace: true });
    } catch (error) {
      const { code, errors } = asTieoutError(error);
      const weak = errors.find((one) => one.code === 'weak_password');
      if (code === 'invitation_not_valid') return onVoid();
      setRefusal(
        weak === undefined
          ? { field: null, message: faultText(error) }
          : { field: 'password', message: texts.weak(weak.message) },
      );
    } finally {
      setBusy(false);
    }
  };
  const wrongOf = (field: Refusal['field']): string | undefined =>
    refusal?.field === field ? refusal.message : undefined;
  const general = wrongOf(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <Field label={texts.password} hint={texts.passwordHint} wrong={wrongOf('password')}>
        <input className="input" name="password" type="password" required autoComplete="new-password" autoFocus />
      </Field>
      <Field label={texts.repeat} wrong={wrongOf('repeat')}>
        <input className="input" name="repeat" type="password" required autoComplete="new-password" />
      </Field>
      {general === undefined ? null : (
        <p className="wrong" role="alert">
          {general}
        </p>
      )}
      <button type="submit" className="button primary" disabled={isBusy}>
        {texts.submit}
      </button>
    </form>
  );
}
