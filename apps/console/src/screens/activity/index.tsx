import { useState } from 'react';
import type { Input } from '@tieout/client';
import { tieout } from '../../api/client';
import { usePages } from '../../api/pages';
import { useAction } from '../../parts/action';
import { useAddress, type Search } from '../../parts/address';
import { Chips, type FilterChip } from '../../parts/chips';
import { save } from '../../parts/download';
import { Field, Pick } from '../../parts/form';
import { PageHead } from '../../parts/frame';
import { useKeys } from '../../parts/keys';
import { More } from '../../parts/pages';
import { Empty, Loaded } from '../../parts/states';
import { useFormats, useText } from '../../text';
import { Entry } from './entry';

type AuditQuery = NonNullable<Input<'listAudit'>['query']>;
type Verified = Awaited<ReturnType<typeof tieout.verifyAudit>>;

const actorTypes = ['user', 'key', 'agent', 'job', 'operator'] as const;
const isDay = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');

/** Returns the moment at which a day, or the day after it, begins in the reader's time zone. */
function startOf(day: string, isNext = false): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + (isNext ? 1 : 0)).toISOString();
}

function filterOf({ object, id, actor, by, action, from, to }: Search): AuditQuery {
  const actorType = actorTypes.find((type) => type === by);
  return {
    ...(object && { objectType: object }),
    ...(id && { objectId: id }),
    ...(actor && { actor }),
    ...(actorType && { actorType }),
    ...(action && { action }),
    ...(isDay(from) && { from: startOf(from) }),
    ...(isDay(to) && { to: startOf(to, true) }),
  };
}

function Filters() {
  const { activity, frame } = useText();
  const { search, setSearch } = useAddress();
  const chips: FilterChip[] = (['id', 'actor', 'action'] as const).flatMap((name) => {
    const value = search[name];
    const label = { id: activity.id, actor: activity.by, action: activity.action }[name];
    return value ? [{ names: [name], text: `${label}: ${value}` }] : [];
  });
  return (
    <search className="block">
      <div className="filters labelled">
        <Pick
          label={activity.object}
          value={search.object ?? ''}
          onPick={(object) => setSearch({ object })}
          options={[['', frame.all], ...Object.entries(activity.objects)]}
        />
        <Pick
          label={activity.actorType}
          value={search.by ?? ''}
          onPick={(by) => setSearch({ by })}
          options={[['', frame.all], ...actorTypes.map((type) => [type, activity.actorTypes[type]] as const)]}
        />
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} label={frame[name]}>
            <input
              className="input"
              type="date"
              value={search[name] ?? ''}
              onChange={(event) => setSearch({ [name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      <Chips chips={chips} />
    </search>
  );
}

function Verdict({ verified }: { verified: Verified }) {
  const { activity } = useText();
  const formats = useFormats();
  const { broken, head, entries } = verified;
  return (
    <div className={broken ? 'notice bad' : 'notice good'} role={broken ? 'alert' : 'status'}>
      {broken ? (
        <p>
          {activity.broken(formats.count(broken.seq))} {activity.brokenWhy[broken.reason]}
        </p>
      ) : (
        <p>{activity.verified(formats.counted(entries))}</p>
      )}
      {head ? (
        <p className="mono digest">
          {activity.head} {head.seq}: {head.hash}
        </p>
      ) : null}
    </div>
  );
}

export default function Activity() {
  const { activity } = useText();
  const formats = useFormats();
  const { search } = useAddress();
  const [verified, setVerified] = useState<Verified | null>(null);
  const { isBusy, run } = useAction();
  const filter = filterOf(search);
  const query = usePages({
    queryKey: ['audit', filter],
    read: (cursor, signal) => tieout.listAudit({ query: { ...filter, limit: 50, ...(cursor && { cursor }) }, signal }),
  });
  const verify = () =>
    run(async () => {
      setVerified(await tieout.verifyAudit());
      return undefined;
    });
  const download = () =>
    run(async () => {
      await save(tieout.exportAudit({ query: filter }), 'activity.csv');
      return undefined;
    });
  useKeys([
    { key: 'v', label: activity.verify, run: () => void verify() },
    { key: 'x', label: activity.exportCsv, run: () => void download() },
  ]);
  return (
    <>
      <PageHead name={activity.title} title={activity.title} hint={activity.hint}>
        <button type="button" className="button" disabled={isBusy} onClick={() => void download()}>
          {activity.exportCsv} <kbd>X</kbd>
        </button>
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void verify()}>
          {activity.verify} <kbd>V</kbd>
        </button>
      </PageHead>
      <div className="block">
        {verified ? <Verdict verified={verified} /> : null}
        <Filters />
        <Loaded query={query}>
          {({ pages }) => {
            const entries = pages.flatMap(({ items }) => items);
            if (entries.length === 0) {
              return (
                <Empty title={activity.none}>
                  <p>{activity.noneHint}</p>
                </Empty>
              );
            }
            return (
              <>
                <p className="soft figures">{activity.found(formats.counted(pages[0]?.total ?? 0))}</p>
                <ol className="card trail">
                  {entries.map((entry) => (
                    <Entry key={entry.seq} entry={entry} />
                  ))}
                </ol>
                <More query={query} />
              </>
            );
          }}
        </Loaded>
      </div>
    </>
  );
}
