import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { approve, reject, release, useGroup, type GroupAnswer, type ReleaseRequest } from '../../api/groups';
import { useAllows, useSession } from '../../api/session';
import { useAction } from '../../parts/action';
import { usePathId } from '../../parts/address';
import { PageHead } from '../../parts/frame';
import { useKeys } from '../../parts/keys';
import { useReasonName } from '../../parts/reasons';
import { useSideNames } from '../../parts/sides';
import { Loaded } from '../../parts/states';
import { Amount, Day, Words } from '../../parts/values';
import { Waterfall } from '../../parts/waterfall';
import { recordName } from '../../parts/words';
import { useFormats, useText } from '../../text';
import { History } from './history';
import { ReleaseDialog } from './release-dialog';
import { rightsOver } from './rights';

type Member = GroupAnswer['left'][number];

function Now({ member, currency }: { member: Member; currency: string | null }) {
  const { groups } = useText();
  const formats = useFormats();
  if (member.current === null) return null;
  const { deleted, amount, date } = member.current;
  const text = deleted
    ? groups.deleted
    : groups.now([formats.amount(amount, currency), formats.day(date)].filter(Boolean).join(', '));
  return <span className="badge warn">{text}</span>;
}

function Members({ side, group }: { side: 'left' | 'right'; group: GroupAnswer }) {
  const { groups } = useText();
  const sides = useSideNames();
  const members = group[side];
  const sum = side === 'left' ? group.left_amount : group.right_amount;
  return (
    <section className="card members" aria-label={sides[side]}>
      <h2>
        {sides[side]} <span className="soft">{members.length}</span>
      </h2>
      <table className="plain-table">
        <tbody>
          {members.map((member) => (
            <tr key={member.record_id}>
              <th scope="row">
                <bdi>{recordName(member)}</bdi> <Now member={member} currency={group.currency} />
                <div className="soft words">
                  <Words of={{ ...member, currency: group.currency }} />
                </div>
              </th>
              <td>
                <Day of={member.date} />
              </td>
              <td className="amount">
                <Amount of={member.amount} currency={group.currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {groups.sum}
            </th>
            <td className="amount">
              <strong>
                <Amount of={sum} currency={group.currency} showsCode />
              </strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Group({ group }: { group: GroupAnswer }) {
  const { groups } = useText();
  const formats = useFormats();
  const reasonName = useReasonName();
  const userId = useSession().me?.user?.id;
  const callerMay = { mayWrite: useAllows('matches:write'), mayApprove: useAllows('matches:approve') };
  const { mayApprove, undoAction, decider } = rightsOver(group, { userId, ...callerMay });
  // Read again also where another user was faster.
  const { isBusy, run } = useAction(['reconciliation', group.reconciliation_id, 'groups']);
  const [isReleasing, setReleasing] = useState(false);
  const isTied = group.difference !== null && Number(group.difference) === 0;
  const agree = (): void => void run(() => approve(group).then(() => groups.approved));
  useKeys([
    ...(undoAction === null ? [] : [{ key: 'x', label: groups.keyRelease, run: () => setReleasing(!isBusy) }]),
    ...(mayApprove ? [{ key: 'a', label: groups.keyApprove, run: agree }] : []),
  ]);
  const send = (input: ReleaseRequest): void => {
    const undo = undoAction === 'reject' ? reject : release;
    void run(() => undo(group, input).then(() => groups.released)).then((done) => setReleasing(!done));
  };
  const title = [group.left, group.right].map((side) => side.slice(0, 2).map(recordName).join(', ')).join(' ↔ ');
  return (
    <>
      <p>
        <Link className="link" to="/reconciliations/$id/groups" params={{ id: group.reconciliation_id }}>
          {groups.back}
        </Link>
      </p>
      <PageHead name={groups.detail} title={<bdi>{title}</bdi>}>
        {mayApprove ? (
          <button type="button" className="button primary" disabled={isBusy} onClick={agree}>
            {groups.approve} <kbd>A</kbd>
          </button>
        ) : null}
        {undoAction === null ? null : (
          <button type="button" className="button danger" disabled={isBusy} onClick={() => setReleasing(true)}>
            {groups[undoAction]} <kbd>X</kbd>
          </button>
        )}
      </PageHead>
      <p className="chips">
        <span className={group.status === 'held' ? 'badge good' : 'badge'}>{groups.status[group.status]}</span>
        <span className="badge">{groups.origin[group.origin]}</span>
        {group.period === null ? null : <span className="badge">{formats.month(group.period)}</span>}
        {group.stale ? <span className="badge warn">{groups.stale}</span> : null}
        {group.rule_set_name === null ? null : (
          <span className="badge">
            <bdi>{groups.rule(group.rule_set_name, String(group.rule_set_version ?? ''))}</bdi>
          </span>
        )}
      </p>
      {decider === null ? null : <p className="notice">{groups.decider[decider]}</p>}
      {group.note === null ? null : (
        <p>
          <bdi>{group.note}</bdi>
        </p>
      )}
      <div className="group">
        <Members side="left" group={group} />
        <Members side="right" group={group} />
        {group.adjustments.length === 0 ? null : (
          <section className="card members">
            <h2>{groups.adjustments}</h2>
            <table className="plain-table">
              <tbody>
                {group.adjustments.map((one, at) => (
                  <tr key={at}>
                    <th scope="row">
                      <bdi>{reasonName(one.reason_code)}</bdi>
                    </th>
                    <td>
                      <bdi>{one.note ?? ''}</bdi>
                    </td>
                    <td className="amount">
                      <Amount of={one.amount} currency={group.currency} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        <section className="card members">
          <h2>{groups.difference}</h2>
          <p className={isTied ? 'rest good' : 'rest'}>
            {group.difference === null ? '–' : formats.amount(group.difference, group.currency)}{' '}
            <span className="badge">{isTied ? groups.tied : groups.tolerated}</span>
          </p>
          {group.explanation === null ? null : <Waterfall explanation={group.explanation} />}
        </section>
        <History group={group} />
      </div>
      {isReleasing ? <ReleaseDialog isBusy={isBusy} onClose={() => setReleasing(false)} onRelease={send} /> : null}
    </>
  );
}

export default function GroupPage() {
  const query = useGroup(usePathId(), usePathId('groupId'));
  return <Loaded query={query}>{(group) => <Group group={group} />}</Loaded>;
}
