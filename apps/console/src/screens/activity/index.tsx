import { useState } from 'react';
import { tieout } from '../../api/client';
import { usePages } from '../../api/pages';
import { useAction } from '../../parts/action';
import { useAddress } from '../../parts/address';
import { Chips, type FilterChip } from '../../parts/chips';
import { save } from '../../parts/download';
import { Misread, NothingListed, useFilters } from '../../parts/filter-states';
import { Field, Pick } from '../../parts/form';
import { PageHead } from '../../parts/frame';
import { useKeys } from '../../parts/keys';
import { More } from '../../parts/pages';
import { Loaded } from '../../parts/states';
import { useFormats, useText } from '../../text';
import { Entry } from './entry';
import { actorTypes, filtersOf, type AuditQuery } from './filter';

type Verified = Awaited<ReturnType<typeof tieout.verifyAudit>>;

function Filters({ chips }: { chips: readonly FilterChip[] }) {
  const { activity, frame } = useText();
  const { search, setSearch } = useAddress();
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

function Trail({ filter, chips }: { filter: AuditQuery; chips: readonly FilterChip[] }) {
  const { activity } = useText();
  const formats = useFormats();
  const query = usePages({
    queryKey: ['audit', filter],
    read: (cursor, signal) => tieout.listAudit({ query: { ...filter, limit: 50, ...(cursor && { cursor }) }, signal }),
  });
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const entries = pages.flatMap(({ items }) => items);
        if (entries.length === 0) {
          return (
            <NothingListed chips={chips} title={activity.none}>
              <p>{activity.noneHint}</p>
            </NothingListed>
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
  );
}

export default function Activity() {
  const texts = useText();
  const { activity } = texts;
  const { chips, faults, query: filter } = useFilters<AuditQuery>(filtersOf(texts, useFormats()));
  const [verified, setVerified] = useState<Verified | null>(null);
  const { isBusy, run } = useAction();
  const verify = () =>
    run(async () => {
      setVerified(await tieout.verifyAudit());
      return undefined;
    });
  const download = async () =>
    filter &&
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
        <button type="button" className="button" disabled={isBusy || !filter} onClick={() => void download()}>
          {activity.exportCsv} <kbd>X</kbd>
        </button>
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void verify()}>
          {activity.verify} <kbd>V</kbd>
        </button>
      </PageHead>
      <div className="block">
        {verified ? <Verdict verified={verified} /> : null}
        <Filters chips={chips} />
        {filter ? <Trail filter={filter} chips={chips} /> : <Misread faults={faults} />}
      </div>
    </>
  );
}
