import { useState } from 'react';
import { queryClient, tieout, type Schema } from '../../api/client';
import { useNumberedPages } from '../../api/pages';
import { useAllows, useSession } from '../../api/session';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Field, Pick, textIn } from '../../parts/form';
import { More } from '../../parts/pages';
import { Secret } from '../../parts/secret';
import { Empty, Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { CreateButton } from './create-button';

type User = Schema<'User'>;
type Invited = Schema<'InvitedUser'>;
type Role = User['role'];

const roles = ['viewer', 'preparer', 'approver', 'admin'] as const;
const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

const readUsers = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['users'] });

interface InviteProps {
  onInvited: (user: Invited) => void;
  onClose: () => void;
}

function Invite({ onInvited, onClose }: InviteProps) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['users']);
  const submit = (form: FormData): void => {
    const role = textIn(form, 'role');
    if (!isRole(role)) return;
    const body = { email: textIn(form, 'email'), name: textIn(form, 'name'), role };
    void run(async () => {
      onInvited(await tieout.createUser({ body }));
      return undefined;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm
      title={settings.users.invite}
      submitLabel={settings.users.invite}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label={settings.users.email}>
        <input className="input" name="email" type="email" required autoFocus autoComplete="off" />
      </Field>
      <Field label={settings.name}>
        <input className="input" name="name" required maxLength={200} autoComplete="off" />
      </Field>
      <Field label={settings.users.role}>
        <select className="input" name="role" defaultValue="preparer">
          {roles.map((role) => (
            <option key={role} value={role}>
              {settings.users.roles[role]}
            </option>
          ))}
        </select>
      </Field>
    </Confirm>
  );
}

interface RowProps {
  user: User;
  mayChange: boolean;
  onInvited: (user: Invited) => void;
}

function Row({ user, mayChange, onInvited }: RowProps) {
  const { settings } = useText();
  const formats = useFormats();
  const { me } = useSession();
  const [asksRemoval, setAsksRemoval] = useState(false);
  // An arrow key changes a choice at each press, so a role is stored by a button.
  const [chosenRole, setChosenRole] = useState<Role | null>(null);
  const { isBusy, run } = useAction();
  const path = { id: user.id };
  const isMyself = me?.user?.id === user.id;
  const update = (body: { role?: Role; active?: boolean }): void => {
    void run(async () => {
      await tieout.updateUser({ path, body });
      await readUsers();
      setChosenRole(null);
      return settings.saved;
    });
  };
  const canChange = mayChange && !isMyself;
  return (
    <tr>
      <td>
        <strong>
          <bdi>{user.name}</bdi>
        </strong>
        <br />
        <bdi className="soft">{user.email}</bdi>
      </td>
      <td>
        {canChange ? (
          <span className="row">
            <Pick
              isBare
              label={`${settings.users.role}: ${user.name}`}
              value={chosenRole ?? user.role}
              options={roles.map((role) => [role, settings.users.short[role]] as const)}
              onPick={(role) => isRole(role) && setChosenRole(role)}
            />
            {chosenRole === null || chosenRole === user.role ? null : (
              <button
                type="button"
                className="button primary"
                disabled={isBusy}
                onClick={() => update({ role: chosenRole })}
              >
                {settings.save}
              </button>
            )}
          </span>
        ) : (
          settings.users.short[user.role]
        )}
      </td>
      <td>
        {user.active ? null : <span className="badge bad">{settings.users.off}</span>}
        {user.last_sign_in_at ? (
          <Moment of={user.last_sign_in_at} />
        ) : (
          <span className="soft">
            {user.invited_until ? settings.users.waits(formats.moment(user.invited_until)) : settings.never}
          </span>
        )}
      </td>
      <td>
        {canChange ? (
          <span className="row">
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() =>
                void run(async () => {
                  onInvited(await tieout.inviteUser({ path }));
                  await readUsers();
                  return undefined;
                })
              }
            >
              {settings.users.inviteAgain}
            </button>
            <button type="button" className="button" disabled={isBusy} onClick={() => update({ active: !user.active })}>
              {user.active ? settings.users.switchOff : settings.users.switchOn}
            </button>
            <button type="button" className="button danger" onClick={() => setAsksRemoval(true)}>
              {settings.remove}
            </button>
          </span>
        ) : null}
        {asksRemoval ? (
          <Confirm
            title={`${settings.remove}: ${user.name}`}
            submitLabel={settings.remove}
            isDanger
            isBusy={isBusy}
            onClose={() => setAsksRemoval(false)}
            onSubmit={() =>
              void run(async () => {
                await tieout.deleteUser({ path });
                await readUsers();
                return settings.users.removed(user.name);
              })
            }
          >
            <p>{settings.users.removeHint}</p>
          </Confirm>
        ) : null}
      </td>
    </tr>
  );
}

/** The people of the company, what they may do, and invitations. */
export function Users() {
  const { settings } = useText();
  const mayChange = useAllows('users:write');
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Invited | null>(null);
  const query = useNumberedPages({
    queryKey: ['users'],
    read: (page, signal) => tieout.listUsers({ query: { limit: 100, page }, signal }),
  });
  return (
    <Loaded query={query}>
      {({ items }) => (
        <div className="block">
          <CreateButton label={settings.users.invite} isAllowed={mayChange} onPress={() => setInviting(true)} />
          {items.length === 0 ? (
            <Empty title={settings.users.none}>
              <p>{settings.users.noneHint}</p>
            </Empty>
          ) : (
            <TableFrame label={settings.parts.users} className="card">
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{settings.name}</th>
                    <th scope="col">{settings.users.role}</th>
                    <th scope="col">{settings.users.lastSignIn}</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {items.map((user) => (
                    <Row key={user.id} user={user} mayChange={mayChange} onInvited={setInvited} />
                  ))}
                </tbody>
              </table>
            </TableFrame>
          )}
          <More query={query} />
          {isInviting ? <Invite onInvited={setInvited} onClose={() => setInviting(false)} /> : null}
          {invited ? (
            <Secret
              title={settings.users.invite}
              hint={settings.users.invited(invited.name)}
              secret={invited.invitation.url}
              onClose={() => setInvited(null)}
            />
          ) : null}
        </div>
      )}
    </Loaded>
  );
}
