import { useState } from 'react';
import type { Input } from '@tieout/client';
import { tieout, type Schema } from '../../api/client';
import { useNumberedPages } from '../../api/pages';
import { useAllows, useSession } from '../../api/session';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Field, textIn } from '../../parts/form';
import { More } from '../../parts/pages';
import { Secret } from '../../parts/secret';
import { Empty, Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { CreateButton } from './create-button';

type ApiKey = Schema<'ApiKey'>;
type Scope = NonNullable<Input<'createApiKey'>['body']['scopes']>[number];

/** Every scope; the compiler finds one that is missing. */
const scopes = Object.keys({
  'records:read': true,
  'records:write': true,
  'datasets:read': true,
  'datasets:write': true,
  'rule-sets:read': true,
  'rule-sets:write': true,
  'jobs:read': true,
  'jobs:write': true,
  'matches:read': true,
  'matches:write': true,
  'matches:approve': true,
  'reconciliations:read': true,
  'reconciliations:write': true,
  'periods:write': true,
  'audit:read': true,
  'actors:name': true,
  'agents:commit': true,
  'webhooks:read': true,
  'webhooks:write': true,
  'items:read': true,
  'items:write': true,
  'browse:read': true,
  'billing:read': true,
  'keys:read': true,
  'keys:write': true,
  'users:read': true,
  'users:write': true,
} satisfies Record<Scope, true>) as Scope[];

interface CreateProps {
  onMade: (key: string) => void;
  onClose: () => void;
}

function Create({ onMade, onClose }: CreateProps) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['api-keys']);
  const submit = (form: FormData): void => {
    const expires = textIn(form, 'expires');
    const chosen = form.getAll('scope') as Scope[];
    const body = {
      label: textIn(form, 'label'),
      ...(chosen.length > 0 && { scopes: chosen }),
      ...(expires && { expiresAt: new Date(`${expires}T00:00:00`).toISOString() }),
    };
    void run(async () => {
      onMade((await tieout.createApiKey({ body })).key);
      return undefined;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm
      title={settings.keys.create}
      submitLabel={settings.keys.create}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label={settings.name}>
        <input className="input" name="label" required maxLength={200} autoFocus autoComplete="off" />
      </Field>
      <Field label={settings.keys.expires} hint={settings.keys.expiresHint}>
        <input className="input" name="expires" type="date" />
      </Field>
      <fieldset className="scopes">
        <legend>{settings.keys.scopes}</legend>
        <p className="soft">{settings.keys.allHint}</p>
        {scopes.map((scope) => (
          <label key={scope} className="check mono">
            <input type="checkbox" name="scope" value={scope} /> {scope}
          </label>
        ))}
      </fieldset>
    </Confirm>
  );
}

function Row({ apiKey, mayChange, onMade }: { apiKey: ApiKey; mayChange: boolean; onMade: (key: string) => void }) {
  const { settings } = useText();
  const formats = useFormats();
  const { me } = useSession();
  const [asks, setAsks] = useState<'revoke' | 'rotate' | null>(null);
  const { isBusy, run } = useAction(['api-keys']);
  const path = { id: apiKey.id };
  const isOwn = me?.key?.id === apiKey.id;
  const acts = {
    revoke: async () => {
      await tieout.revokeApiKey({ path });
      return settings.keys.revokedSaid;
    },
    rotate: async () => {
      onMade((await tieout.rotateApiKey({ path, body: { overlapSeconds: 86_400 } })).key);
      return undefined;
    },
  };
  return (
    <tr>
      <td>
        <strong>
          <bdi>{apiKey.label}</bdi>
        </strong>
        {apiKey.active ? null : <span className="badge bad"> {settings.keys.revoked}</span>}
        <br />
        <span className="mono soft">
          {apiKey.prefix}…{apiKey.last4}
        </span>
      </td>
      <td title={apiKey.scopes.join(', ')}>
        {apiKey.scopes.length === 0 ? settings.keys.all : settings.keys.some(formats.counted(apiKey.scopes.length))}
      </td>
      <td>
        {apiKey.last_used_at ? <Moment of={apiKey.last_used_at} /> : <span className="soft">{settings.never}</span>}
      </td>
      <td>
        {apiKey.expires_at ? (
          <time dateTime={apiKey.expires_at}>{formats.dayOf(apiKey.expires_at)}</time>
        ) : (
          <span className="soft">{settings.never}</span>
        )}
      </td>
      <td>
        {mayChange && apiKey.active && !isOwn ? (
          <span className="row">
            <button type="button" className="button" onClick={() => setAsks('rotate')}>
              {settings.keys.rotate}
            </button>
            <button type="button" className="button danger" onClick={() => setAsks('revoke')}>
              {settings.keys.revoke}
            </button>
          </span>
        ) : null}
        {asks ? (
          <Confirm
            title={`${settings.keys[asks]}: ${apiKey.label}`}
            submitLabel={settings.keys[asks]}
            isDanger={asks === 'revoke'}
            isBusy={isBusy}
            onClose={() => setAsks(null)}
            onSubmit={() => void run(acts[asks]).then((done) => done && setAsks(null))}
          >
            <p>{asks === 'revoke' ? settings.keys.revokeHint : settings.keys.rotateHint}</p>
          </Confirm>
        ) : null}
      </td>
    </tr>
  );
}

/** The keys of programs: what each may do, when it was used, and the ways to end it. */
export function Keys() {
  const { settings } = useText();
  const mayChange = useAllows('keys:write');
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const query = useNumberedPages({
    queryKey: ['api-keys', 'pages'],
    read: (page, signal) => tieout.listApiKeys({ query: { limit: 100, page }, signal }),
  });
  return (
    <Loaded query={query}>
      {({ items }) => (
        <div className="block">
          <CreateButton label={settings.keys.create} isAllowed={mayChange} onPress={() => setCreating(true)} />
          {items.length === 0 ? (
            <Empty title={settings.keys.none}>
              <p>{settings.keys.noneHint}</p>
            </Empty>
          ) : (
            <TableFrame label={settings.parts.keys} className="card">
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{settings.name}</th>
                    <th scope="col">{settings.keys.scopes}</th>
                    <th scope="col">{settings.keys.lastUsed}</th>
                    <th scope="col">{settings.keys.expires}</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {items.map((apiKey) => (
                    <Row key={apiKey.id} apiKey={apiKey} mayChange={mayChange} onMade={setMade} />
                  ))}
                </tbody>
              </table>
            </TableFrame>
          )}
          <More query={query} />
          {isCreating ? <Create onMade={setMade} onClose={() => setCreating(false)} /> : null}
          {made ? <Secret title={settings.keys.secret} secret={made} onClose={() => setMade(null)} /> : null}
        </div>
      )}
    </Loaded>
  );
}
