import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tieout, type Schema } from '../../api/client';
import { everyPage, useNumberedPages } from '../../api/pages';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { More } from '../../parts/pages';
import { Field, textIn } from '../../parts/form';
import { Empty, Loaded } from '../../parts/states';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { Connect, Fill, LogInAgain, useConnectors } from './connect';
import { CreateButton } from './create-button';

type Item = Schema<'Item'>;

const tones: Record<Item['status'], string> = {
  UPDATING: 'badge',
  WAITING_USER_INPUT: 'badge warn',
  WAITING_USER_ACTION: 'badge warn',
  UPDATED: 'badge good',
  LOGIN_ERROR: 'badge bad',
  OUTDATED: 'badge bad',
};

const refreshMs = 5_000;

/** The datasets that a connection fills. */
function Ingests({ itemId }: { itemId: string }) {
  const { settings } = useText();
  const formats = useFormats();
  const { data } = useQuery({
    queryKey: ['items', itemId, 'ingests'],
    queryFn: ({ signal }) =>
      everyPage((page) => tieout.listItemIngests({ path: { id: itemId }, query: { limit: 100, page }, signal })),
  });
  if (data?.items.length === 0) return <p className="wrong">{settings.connections.fillsNone}</p>;
  return (
    <>
      {data?.items.map((ingest) => (
        <p key={ingest.id}>
          <span className="soft">{settings.connections.fills}</span> <bdi>{ingest.dataset}</bdi> ·{' '}
          {settings.connections.transactions(formats.counted(ingest.transactions))}
          {ingest.pending > 0 ? ` · ${settings.connections.pending(formats.count(ingest.pending))}` : ''}
          {ingest.error ? <span className="wrong"> {ingest.error.message}</span> : null}
        </p>
      ))}
    </>
  );
}

/** Asks for what the institution wants to know. */
function Question({ item }: { item: Item }) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['items']);
  const { parameter } = item;
  if (parameter === null) return null;
  return (
    <form
      className="row answer"
      onSubmit={(event) => {
        event.preventDefault();
        const value = textIn(new FormData(event.currentTarget), 'answer');
        void run(async () => {
          await tieout.answerItem({ path: { id: item.id }, body: { parameters: { [parameter.name]: value } } });
          return settings.connections.answered;
        });
      }}
    >
      <Field label={parameter.label}>
        <input
          className="input"
          name="answer"
          type={parameter.type === 'password' ? 'password' : 'text'}
          inputMode={parameter.type === 'number' ? 'numeric' : undefined}
          required
          autoComplete="one-time-code"
        />
      </Field>
      <button type="submit" className="button primary" disabled={isBusy}>
        {settings.connections.answer}
      </button>
    </form>
  );
}

function Connection({ item, mayChange }: { item: Item; mayChange: boolean }) {
  const { settings } = useText();
  const { statuses } = settings.connections;
  const [asks, setAsks] = useState<'removal' | 'dataset' | 'login' | null>(null);
  const { isBusy, run } = useAction(['items']);
  const { user_action: action } = item;
  const connector = useConnectors().data?.items.find(({ id }) => id === item.connector_id);
  const name = connector?.name ?? item.connector_id;
  const dates = [
    [settings.connections.lastRead, item.last_updated_at],
    [settings.connections.nextRead, item.next_sync_at],
    [settings.connections.consent, item.consent_expires_at],
  ] as const;
  return (
    <article className="card stale">
      <header className="columns">
        <h2>
          <bdi>{name}</bdi> <span className={tones[item.status]}>{statuses[item.status]}</span>{' '}
          <bdi className="soft">{item.client_user_id}</bdi>
        </h2>
        {mayChange ? (
          <div className="row">
            <button
              type="button"
              className="button"
              disabled={isBusy || item.status === 'UPDATING' || item.status.startsWith('WAITING')}
              onClick={() =>
                void run(async () => {
                  await tieout.updateItem({ path: { id: item.id }, body: {} });
                  return settings.connections.synced;
                })
              }
            >
              {settings.connections.sync}
            </button>
            <button type="button" className="button" onClick={() => setAsks('dataset')}>
              {settings.connections.fill}
            </button>
            {connector && item.status === 'LOGIN_ERROR' ? (
              <button type="button" className="button" onClick={() => setAsks('login')}>
                {settings.connections.logIn}
              </button>
            ) : null}
            <button type="button" className="button danger" onClick={() => setAsks('removal')}>
              {settings.remove}
            </button>
          </div>
        ) : null}
      </header>
      {item.error ? <p className="wrong">{item.error.message}</p> : null}
      {action ? (
        <p>
          {action.instructions}{' '}
          {action.url?.startsWith('https://') ? (
            <a href={action.url} target="_blank" rel="noreferrer">
              {settings.connections.open}
            </a>
          ) : null}
        </p>
      ) : null}
      {mayChange && item.status === 'WAITING_USER_INPUT' ? <Question item={item} /> : null}
      <dl className="facts">
        {dates.map(([label, at]) =>
          at === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Moment of={at} />
              </dd>
            </div>
          ),
        )}
      </dl>
      <Ingests itemId={item.id} />
      {asks === 'dataset' ? (
        <Fill item={item} title={`${settings.connections.fill}: ${name}`} onClose={() => setAsks(null)} />
      ) : null}
      {asks === 'login' && connector ? (
        <LogInAgain
          item={item}
          title={`${settings.connections.logIn}: ${name}`}
          connector={connector}
          onClose={() => setAsks(null)}
        />
      ) : null}
      {asks === 'removal' ? (
        <Confirm
          title={`${settings.remove}: ${name}`}
          submitLabel={settings.remove}
          isDanger
          isBusy={isBusy}
          onClose={() => setAsks(null)}
          onSubmit={() =>
            void run(async () => {
              await tieout.deleteItem({ path: { id: item.id } });
              return settings.connections.removed;
            })
          }
        >
          <p>{settings.connections.removeHint}</p>
        </Confirm>
      ) : null}
    </article>
  );
}

/** Lists the connections to banks with their status, the input that they wait for, and the datasets that they fill. */
export function Connections() {
  const { settings } = useText();
  const mayChange = useAllows('items:write');
  const [isConnecting, setConnecting] = useState(false);
  const query = useNumberedPages({
    queryKey: ['items'],
    read: (page, signal) => tieout.listItems({ query: { limit: 100, page }, signal }),
    refetchInterval: refreshMs,
  });
  return (
    <Loaded query={query}>
      {({ items }) => (
        <div className="block">
          <CreateButton
            label={settings.connections.connect}
            isAllowed={mayChange}
            onPress={() => setConnecting(true)}
          />
          {items.length === 0 ? (
            <Empty title={settings.connections.none}>
              <p>{settings.connections.noneHint}</p>
            </Empty>
          ) : (
            items.map((item) => <Connection key={item.id} item={item} mayChange={mayChange} />)
          )}
          <More query={query} />
          {isConnecting ? <Connect onClose={() => setConnecting(false)} /> : null}
        </div>
      )}
    </Loaded>
  );
}
