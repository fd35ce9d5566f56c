import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from '../../api/client';
import { useNumberedPages } from '../../api/pages';
import { useAction } from '../../parts/action';
import { useAddress } from '../../parts/address';
import { Dialog } from '../../parts/dialog';
import { Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';

type Delivery = Schema<'WebhookDelivery'>;

const tones: Partial<Record<Delivery['status'], string>> = {
  delivered: 'badge good',
  retry_scheduled: 'badge warn',
  abandoned: 'badge bad',
};

const refreshMs = 5_000;

interface DeliveriesProps {
  webhookId: string;
  mayChange: boolean;
}

function Attempts({ webhookId, deliveryId, onClose }: { webhookId: string; deliveryId: string; onClose: () => void }) {
  const { settings, frame } = useText();
  const formats = useFormats();
  const query = useQuery({
    queryKey: ['deliveries', webhookId, deliveryId],
    queryFn: ({ signal }) => tieout.getWebhookDelivery({ path: { id: webhookId, deliveryId }, signal }),
  });
  return (
    <Dialog title={settings.webhooks.attempts} isWide onClose={onClose}>
      <Loaded query={query}>
        {({ data }) => (
          <ul className="faults">
            {data.attemptLog.map((attempt) => (
              <li key={attempt.number}>
                <p>
                  {settings.webhooks.attempt(attempt.number)} · <Moment of={attempt.startedAt} /> ·{' '}
                  {attempt.responseStatus ?? attempt.outcome} ·{' '}
                  <span className="figures">{formats.duration(attempt.durationMs)}</span>
                </p>
                {attempt.error ? <p className="wrong">{attempt.error}</p> : null}
                {attempt.responseBody ? (
                  <p className="mono soft">
                    <bdi>{attempt.responseBody.slice(0, 1_000)}</bdi>
                  </p>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {frame.close}
        </button>
      </div>
    </Dialog>
  );
}

/** The events that were sent to a webhook, the newest first, each with its attempts. */
export function Deliveries({ webhookId, mayChange }: DeliveriesProps) {
  const { settings } = useText();
  const { search, setSearch } = useAddress();
  const { isBusy, run } = useAction(['deliveries', webhookId]);
  const query = useNumberedPages({
    queryKey: ['deliveries', webhookId, 'pages'],
    read: async (page, signal) => {
      const { data } = await tieout.listWebhookDeliveries({
        path: { id: webhookId },
        query: { limit: 100, page },
        signal,
      });
      return { ...data, items: data.deliveries };
    },
    refetchInterval: refreshMs,
  });
  const retry = (deliveryId: string): void =>
    void run(async () => {
      await tieout.retryWebhookDelivery({ path: { id: webhookId, deliveryId } });
      return settings.webhooks.retried;
    });
  return (
    <section className="block">
      <h3>{settings.webhooks.deliveries}</h3>
      <Loaded query={query}>
        {({ items: deliveries }) =>
          deliveries.length === 0 ? (
            <p className="soft">{settings.webhooks.noDeliveries}</p>
          ) : (
            <TableFrame label={settings.webhooks.deliveries} className="card">
              <table className="plain-table">
                <tbody>
                  {deliveries.map(({ id, event, status, attempts, createdAt, nextAttemptAt }) => (
                    <tr key={id}>
                      <td>
                        <Moment of={createdAt} />
                      </td>
                      <td className="mono">{event}</td>
                      <td>
                        <span className={tones[status] ?? 'badge'}>{settings.webhooks.statuses[status]}</span>
                        {nextAttemptAt ? (
                          <span className="soft">
                            {' '}
                            {settings.webhooks.next} <Moment of={nextAttemptAt} />
                          </span>
                        ) : null}
                      </td>
                      <td>
                        {attempts > 0 ? (
                          <button type="button" className="text-button" onClick={() => setSearch({ delivery: id })}>
                            {settings.webhooks.attempts}: {attempts}
                          </button>
                        ) : null}
                      </td>
                      <td>
                        {mayChange && (status === 'abandoned' || status === 'retry_scheduled') ? (
                          <button type="button" className="button" disabled={isBusy} onClick={() => retry(id)}>
                            {settings.webhooks.retry}
                          </button>
                        ) : null}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
          )
        }
      </Loaded>
      {search.delivery ? (
        <Attempts
          webhookId={webhookId}
          deliveryId={search.delivery}
          onClose={() => setSearch({ delivery: undefined })}
        />
      ) : null}
    </section>
  );
}
