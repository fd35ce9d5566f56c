import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Input } from '@tieout/client';
import { tieout, type Schema } from '../../api/client';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { useAddress } from '../../parts/address';
import { Confirm } from '../../parts/confirm';
import { Field, textIn } from '../../parts/form';
import { Secret } from '../../parts/secret';
import { Empty, Loaded } from '../../parts/states';
import { useText } from '../../text';
import { Deliveries } from './deliveries';
import { CreateButton } from './create-button';

type Webhook = Schema<'Webhook'>;

type EventName = NonNullable<Input<'createWebhook'>['body']['events']>[number];

/** Every event; the compiler finds one that is missing. */
const events = Object.keys({
  ITEM_CREATED: true,
  ITEM_UPDATED: true,
  ITEM_DELETED: true,
  ITEM_ERROR: true,
  ITEM_WAITING_USER_INPUT: true,
  ITEM_WAITING_USER_ACTION: true,
  ITEM_LOGIN_SUCCEEDED: true,
  TRANSACTIONS_CREATED: true,
  TRANSACTIONS_UPDATED: true,
  MATCHING_JOB_COMPLETED: true,
  MATCHING_JOB_FAILED: true,
  MATCHING_JOB_CANCELLED: true,
  COMPOSITE_MATCH_CREATED: true,
  MATCH_STALE: true,
  MATCH_GROUP_PENDING: true,
  MATCH_GROUP_HELD: true,
  MATCH_GROUP_RELEASED: true,
  PERIOD_CLOSED: true,
  PERIOD_REOPENED: true,
  RECONCILIATION_RUN_COMPLETED: true,
  AUDIT_HEAD: true,
} satisfies Record<EventName, true>) as EventName[];

interface CreateProps {
  onMade: (secret: string) => void;
  onClose: () => void;
}

function Create({ onMade, onClose }: CreateProps) {
  const { settings } = useText();
  const { isBusy, run } = useAction(['webhooks']);
  const submit = (form: FormData): void =>
    void run(async () => {
      const chosen = form.getAll('event') as EventName[];
      const body = {
        url: textIn(form, 'url'),
        secret: textIn(form, 'secret'),
        ...(chosen.length > 0 && { events: chosen }),
      };
      onMade((await tieout.createWebhook({ body })).data.signingSecret);
      return undefined;
    }).then((done) => done && onClose());
  return (
    <Confirm
      title={settings.webhooks.create}
      submitLabel={settings.webhooks.create}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label={settings.webhooks.url}>
        <input className="input" name="url" type="url" required autoFocus placeholder="https://" />
      </Field>
      <Field label={settings.webhooks.secret} hint={settings.webhooks.secretHint}>
        <input className="input" name="secret" required maxLength={1_024} autoComplete="off" />
      </Field>
      <fieldset className="scopes">
        <legend>{settings.webhooks.events}</legend>
        <p className="soft">{settings.webhooks.eventsHint}</p>
        {events.map((event) => (
          <label key={event} className="check mono">
            <input type="checkbox" name="event" value={event} /> {event}
          </label>
        ))}
      </fieldset>
    </Confirm>
  );
}

function Entry({ webhook }: { webhook: Webhook }) {
  const { settings } = useText();
  return (
    <li>
      <Link to="." search={{ part: 'webhooks', webhook: webhook.id }} className="list-entry card">
        <strong className="digest">
          <bdi>{webhook.url}</bdi>
        </strong>
        <span className="soft digest">
          {webhook.events === undefined ? settings.webhooks.allEvents : webhook.events.join(', ')}
        </span>
      </Link>
    </li>
  );
}

interface OneProps {
  webhook: Webhook;
  mayChange: boolean;
  onSecret: (secret: string) => void;
}

function One({ webhook, mayChange, onSecret }: OneProps) {
  const { settings } = useText();
  const { setSearch } = useAddress();
  const [asksRemoval, setAsksRemoval] = useState(false);
  const { isBusy, run } = useAction(['webhooks'], ['deliveries', webhook.id]);
  const path = { id: webhook.id };
  const back = (): void => setSearch({ webhook: undefined, delivery: undefined });
  const remove = (): void =>
    void run(async () => {
      await tieout.deleteWebhook({ path });
      return settings.webhooks.removed;
    }).then((done) => done && back());
  return (
    <div className="block">
      <p>
        <button type="button" className="text-button" onClick={back}>
          {settings.webhooks.back}
        </button>
      </p>
      <header className="columns">
        <h2 className="digest">
          <bdi>{webhook.url}</bdi>
        </h2>
        {mayChange ? (
          <div className="row">
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() =>
                void run(async () => {
                  await tieout.testWebhook({ path });
                  return settings.webhooks.tested;
                })
              }
            >
              {settings.webhooks.test}
            </button>
            <button
              type="button"
              className="button"
              disabled={isBusy}
              onClick={() =>
                void run(async () => {
                  const { data } = await tieout.rotateWebhookSigningSecret({ path, body: {} });
                  onSecret(data.signingSecret);
                  return undefined;
                })
              }
            >
              {settings.webhooks.rotate}
            </button>
            <button type="button" className="button danger" onClick={() => setAsksRemoval(true)}>
              {settings.remove}
            </button>
          </div>
        ) : null}
      </header>
      <Deliveries webhookId={webhook.id} mayChange={mayChange} />
      {asksRemoval ? (
        <Confirm
          title={settings.remove}
          submitLabel={settings.remove}
          isDanger
          isBusy={isBusy}
          onClose={() => setAsksRemoval(false)}
          onSubmit={remove}
        >
          <p>{settings.webhooks.removeHint}</p>
        </Confirm>
      ) : null}
    </div>
  );
}

/** Lists the addresses that events are sent to, with the deliveries of each. */
export function Webhooks() {
  const { settings } = useText();
  const { search } = useAddress();
  const mayChange = useAllows('webhooks:write');
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => tieout.listWebhooks({ signal }),
  });
  return (
    <Loaded query={query}>
      {({ data: { webhooks } }) => {
        const chosen = webhooks.find(({ id }) => id === search.webhook);
        return (
          <div className="block">
            {chosen ? (
              <One webhook={chosen} mayChange={mayChange} onSecret={setSecret} />
            ) : (
              <>
                <CreateButton
                  label={settings.webhooks.create}
                  isAllowed={mayChange}
                  onPress={() => setCreating(true)}
                />
                {webhooks.length === 0 ? (
                  <Empty title={settings.webhooks.none}>
                    <p>{settings.webhooks.noneHint}</p>
                  </Empty>
                ) : (
                  <ul className="block">
                    {webhooks.map((webhook) => (
                      <Entry key={webhook.id} webhook={webhook} />
                    ))}
                  </ul>
                )}
              </>
            )}
            {isCreating ? <Create onMade={setSecret} onClose={() => setCreating(false)} /> : null}
            {secret ? (
              <Secret title={settings.webhooks.signingSecret} secret={secret} onClose={() => setSecret(null)} />
            ) : null}
          </div>
        );
      }}
    </Loaded>
  );
}
