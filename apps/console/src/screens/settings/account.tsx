import { useQuery } from '@tanstack/react-query';
import { tieout } from '../../api/client';
import { useSession } from '../../api/session';
import { useAction } from '../../parts/action';
import { Field, typedIn } from '../../parts/form';
import { Loaded } from '../../parts/states';
import { Moment } from '../../parts/values';
import { useText } from '../../text';

function Password() {
  const { settings } = useText();
  const { isBusy, run } = useAction(['sessions']);
  return (
    <form
      className="card usage-card"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const given = new FormData(form);
        const body = { currentPassword: typedIn(given, 'current'), newPassword: typedIn(given, 'next') };
        void run(async () => {
          await tieout.changePassword({ body });
          form.reset();
          return settings.account.changed;
        });
      }}
    >
      <h2>{settings.account.password}</h2>
      <p className="soft">{settings.account.passwordHint}</p>
      <Field label={settings.account.current}>
        <input className="input" name="current" type="password" required autoComplete="current-password" />
      </Field>
      <Field label={settings.account.next} hint={settings.account.nextHint}>
        <input className="input" name="next" type="password" required minLength={12} autoComplete="new-password" />
      </Field>
      <p>
        <button type="submit" className="button primary" disabled={isBusy}>
          {settings.account.password}
        </button>
      </p>
    </form>
  );
}

function Sessions() {
  const { settings } = useText();
  const { isBusy, run } = useAction(['sessions']);
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => tieout.listSessions({ signal }),
  });
  const end = (id: string): void =>
    void run(async () => {
      await tieout.endSession({ path: { id } });
      return settings.account.ended;
    });
  return (
    <section className="card usage-card">
      <h2>{settings.account.sessions}</h2>
      <Loaded query={query}>
        {({ items }) => (
          <ul className="faults">
            {items.map((session) => (
              <li key={session.id} className="columns">
                <span>
                  <bdi>{session.address}</bdi>{' '}
                  {session.current ? <span className="badge good">{settings.account.here}</span> : null}
                  <br />
                  <span className="soft">
                    {settings.account.seen} <Moment of={session.last_seen_at} />
                    <br />
                    <bdi>{session.user_agent}</bdi>
                  </span>
                </span>
                {session.current ? null : (
                  <button type="button" className="button" disabled={isBusy} onClick={() => end(session.id)}>
                    {settings.account.end}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

/** A person's own access: the password, and where the person is signed in. */
export function Account() {
  const { me } = useSession();
  return (
    <div className="usage">
      {me?.kind === 'user' ? <Password /> : null}
      <Sessions />
    </div>
  );
}
