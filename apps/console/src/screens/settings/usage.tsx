import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from '../../api/client';
import { Bars } from '../../parts/bars';
import { Loaded } from '../../parts/states';
import { useFormats, useText } from '../../text';

type BillingUsage = Schema<'BillingUsage'>;

const quotaNames = ['records', 'bytes', 'files', 'jobs', 'webhooks'] as const;

interface ShareLine {
  key: string;
  name: string;
  count: number;
}

/** Names with bars beneath on one scale, the largest first. */
function Shares({ title, lines }: { title: string; lines: readonly ShareLine[] }) {
  const { settings } = useText();
  const formats = useFormats();
  const max = Math.max(1, ...lines.map(({ count }) => count));
  return (
    <section className="card usage-card">
      <h2>{title}</h2>
      {lines.length === 0 ? <p className="soft">{settings.usage.nothing}</p> : null}
      <ul className="shares">
        {[...lines]
          .sort((a, b) => b.count - a.count)
          .map(({ key, name, count }) => (
            <li key={key}>
              <span className="columns">
                <bdi>{name}</bdi>
                <span className="figures">{formats.count(count)}</span>
              </span>
              <i aria-hidden="true" style={{ width: `${(100 * count) / max}%` }} />
            </li>
          ))}
      </ul>
    </section>
  );
}

function Quotas({ quotas }: { quotas: BillingUsage['quotas'] }) {
  const { settings } = useText();
  const formats = useFormats();
  return (
    <section className="card usage-card">
      <h2>{settings.usage.quotas}</h2>
      <ul className="shares">
        {quotaNames.map((name) => {
          const { used, limit } = quotas[name];
          const say = name === 'bytes' ? formats.bytes : formats.count;
          return (
            <li key={name}>
              <span className="columns">
                <span>{settings.usage.names[name]}</span>
                <span className="figures soft">{settings.usage.quota(say(used), say(limit))}</span>
              </span>
              <div className="track" aria-hidden="true">
                <i style={{ width: `${Math.min(100, (100 * used) / Math.max(1, limit))}%` }} />
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Months({ usage }: { usage: BillingUsage }) {
  const { settings } = useText();
  const formats = useFormats();
  const months = [...usage.byPeriod].sort((a, b) => a.period.localeCompare(b.period));
  return (
    <section className="card usage-card wide">
      <dl className="facts">
        <div>
          <dt>{settings.usage.thisMonth}</dt>
          <dd className="figure">{formats.count(usage.billing.matchesCount)}</dd>
        </div>
        <div>
          <dt>{settings.usage.total}</dt>
          <dd className="figure">{formats.count(usage.totalMatches)}</dd>
        </div>
      </dl>
      {months.length === 0 ? (
        <p className="soft">{settings.usage.nothing}</p>
      ) : (
        <Bars
          title={settings.usage.matches}
          height={140}
          scale={formats.count}
          bars={months.map(({ period, matches }) => ({
            key: period,
            value: matches,
            label: settings.usage.month(formats.month(period), formats.count(matches)),
            caption: formats.month(period).slice(0, 3),
          }))}
        />
      )}
    </section>
  );
}

/** Plots what is billed and what is used. */
export function Usage() {
  const { settings } = useText();
  const query = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => tieout.getBillingUsage({ signal }),
  });
  return (
    <Loaded query={query}>
      {(usage) => (
        <div className="usage">
          <Months usage={usage} />
          <Quotas quotas={usage.quotas} />
          <Shares
            title={settings.usage.byRuleSet}
            lines={usage.byRuleSet.map(({ ruleSetId, name, matches }) => ({ key: ruleSetId, name, count: matches }))}
          />
          <Shares
            title={settings.usage.records}
            lines={usage.records.byDataset.map(({ datasetId, name, count }) => ({ key: datasetId, name, count }))}
          />
        </div>
      )}
    </Loaded>
  );
}
