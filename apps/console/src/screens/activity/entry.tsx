import { useState } from 'react';
import type { Schema } from '../../api/client';
import { useActionName } from '../../parts/action-name';
import { useActorName } from '../../parts/actor-name';
import { useAddress } from '../../parts/address';
import { useReasonName } from '../../parts/reasons';
import { TableFrame } from '../../parts/table-frame';
import { Moment } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { balanceIn, differencesOf, monthIn, objectNameOf } from './differences';

type AuditEntry = Schema<'AuditEntry'>;

function Differences({ entry }: { entry: AuditEntry }) {
  const { activity } = useText();
  const differences = differencesOf(entry.before, entry.after);
  if (differences.length === 0) return null;
  return (
    <TableFrame label={activity.details}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{activity.field}</th>
            <th scope="col">{activity.before}</th>
            <th scope="col">{activity.after}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">
                <bdi>{field}</bdi>
              </th>
              <td className="note">
                <bdi>{before}</bdi>
              </td>
              <td className="note">
                <bdi>{after}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** One entry of the trail; its details open on demand. */
export function Entry({ entry }: { entry: AuditEntry }) {
  const { activity, frame } = useText();
  const nameOf = useActionName();
  const actorName = useActorName();
  const reasonName = useReasonName();
  const { setSearch } = useAddress();
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const { object, actor, reason } = entry;
  const month = object.type === 'period' ? monthIn(object.id) : undefined;
  const balance = entry.action === 'balance.state' ? balanceIn(entry.before, entry.after) : undefined;
  const name = month
    ? formats.month(month)
    : balance
      ? `${frame[balance.side]}, ${formats.day(balance.day)}`
      : objectNameOf(entry.before, entry.after);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Moment of={entry.at} />
          <span>
            <strong title={entry.action}>{nameOf(entry.action)}</strong>{' '}
            {name === undefined ? null : <bdi className="soft">{name}</bdi>}
          </span>
          <span className="soft">
            <bdi>{actorName(actor)}</bdi>
          </span>
          {reason ? <bdi className="soft">{reasonName(reason)}</bdi> : null}
        </summary>
        {isOpen ? (
          <div className="block entry">
            <Differences entry={entry} />
            <dl className="facts">
              <div>
                <dt>{activity.objects[object.type] ?? object.type}</dt>
                <dd className="mono">
                  <bdi>{object.id}</bdi>{' '}
                  <button
                    type="button"
                    className="text-button"
                    onClick={() => setSearch({ object: object.type, id: object.id })}
                  >
                    {activity.showOf}
                  </button>
                </dd>
              </div>
              {entry.request_id ? (
                <div>
                  <dt>{activity.request}</dt>
                  <dd className="mono">{entry.request_id}</dd>
                </div>
              ) : null}
              <div>
                <dt>{activity.hash}</dt>
                <dd className="mono digest">{entry.hash}</dd>
              </div>
            </dl>
          </div>
        ) : null}
      </details>
    </li>
  );
}
