import { useState } from 'react';
import { tieout, type Schema } from '../../api/client';
import { usePages } from '../../api/pages';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { useAllows } from '../../api/session';
import { useAction } from '../../parts/action';
import { Confirm } from '../../parts/confirm';
import { Check, textIn } from '../../parts/form';
import { More } from '../../parts/pages';
import { ReasonField } from '../../parts/reasons';
import { Empty, Loaded } from '../../parts/states';
import { TableFrame } from '../../parts/table-frame';
import { Amount, Day, Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';

type Group = Schema<'MatchGroup'>;
type Member = Group['left'][number];

function MemberRow({ member, currency }: { member: Member; currency: string | null }) {
  const { exceptions } = useText();
  const { current } = member;
  return (
    <tr>
      <td>
        <bdi>{member.external_id ?? member.record_id}</bdi>
      </td>
      <td className="amount">
        <Amount of={member.amount} currency={currency} />
      </td>
      <td>
        <Day of={member.date} />
      </td>
      <td className={current ? 'amount changed' : 'amount soft'}>
        {current === null ? (
          '='
        ) : current.deleted ? (
          exceptions.deleted
        ) : (
          <Amount of={current.amount} currency={current.currency} />
        )}
      </td>
      <td className={current ? 'changed' : 'soft'}>
        {current === null ? '=' : current.deleted ? null : <Day of={current.date} />}
      </td>
    </tr>
  );
}

function ReleaseDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { exceptions } = useText();
  const { isBusy, run } = useAction(['reconciliation', group.reconciliation_id]);
  const submit = (form: FormData): void => {
    const body = { reasonCode: textIn(form, 'reasonCode'), ...(form.has('force') && { force: true }) };
    void run(async () => {
      await tieout.releaseMatchGroup({ path: { id: group.id }, body });
      return exceptions.released;
    }).then((done) => done && onClose());
  };
  return (
    <Confirm
      title={exceptions.release}
      submitLabel={exceptions.release}
      isDanger
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{exceptions.releaseHint}</p>
      <ReasonField label={exceptions.reason} preset="data_error" isRequired autoFocus />
      <Check name="force" label={exceptions.force} />
    </Confirm>
  );
}

function StaleGroup({ group, mayRelease }: { group: Group; mayRelease: boolean }) {
  const { exceptions } = useText();
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  return (
    <article className="card stale">
      <header className="columns">
        <p className="soft">
          {exceptions.heldBy} <bdi>{group.held_by.label ?? group.held_by.id}</bdi>, <Moment of={group.held_at} />
          {group.period ? ` · ${exceptions.month}: ${formats.month(group.period)}` : ''}
        </p>
        {mayRelease ? (
          <button type="button" className="button danger" onClick={() => setOpen(true)}>
            {exceptions.release}
          </button>
        ) : null}
      </header>
      <TableFrame label={exceptions.views.stale}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{exceptions.record}</th>
              <th scope="col" className="amount">
                {exceptions.then}
              </th>
              <th scope="col">{exceptions.date}</th>
              <th scope="col" className="amount">
                {exceptions.now}
              </th>
              <th scope="col">{exceptions.date}</th>
            </tr>
          </thead>
          <tbody>
            {[...group.left, ...group.right].map((member) => (
              <MemberRow key={member.record_id} member={member} currency={group.currency} />
            ))}
          </tbody>
        </table>
      </TableFrame>
      {isOpen ? <ReleaseDialog group={group} onClose={() => setOpen(false)} /> : null}
    </article>
  );
}

/** Matches whose records have changed since, which people decide about. */
export function Stale({ reconciliation: { id } }: { reconciliation: ReconciliationAnswer }) {
  const { exceptions } = useText();
  const mayRelease = useAllows('matches:write');
  const query = usePages({
    queryKey: ['reconciliation', id, 'groups', 'stale'],
    read: (cursor, signal) =>
      tieout.listMatchGroups({
        query: { reconciliationId: id, status: 'held', stale: true, limit: 25, ...(cursor && { cursor }) },
        signal,
      }),
  });
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const groups = pages.flatMap(({ items }) => items);
        if (groups.length === 0) {
          return (
            <Empty title={exceptions.noStale}>
              <p>{exceptions.noStaleHint}</p>
            </Empty>
          );
        }
        return (
          <div className="block">
            {groups.map((group) => (
              <StaleGroup key={group.id} group={group} mayRelease={mayRelease} />
            ))}
            <More query={query} />
          </div>
        );
      }}
    </Loaded>
  );
}
