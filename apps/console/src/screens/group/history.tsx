import { Link } from '@tanstack/react-router';
import { useHistory, type GroupAnswer } from '../../api/groups';
import { useAllows } from '../../api/session';
import { useActionName } from '../../parts/action-name';
import { useActorName } from '../../parts/actor-name';
import { useReasonName } from '../../parts/reasons';
import { Moment } from '../../parts/values';
import { useText } from '../../text';

/** Entries of the trail that the group itself tells: how it began and ended. */
const groupActions = new Set(['hold', 'confirm', 'release', 'reject'].map((verb) => `match_group.${verb}`));

/** All that became of a group, newest first. */
export function History({ group }: { group: GroupAnswer }) {
  const { groups } = useText();
  const isAllowed = useAllows('audit:read');
  const query = useHistory(group.reconciliation_id, group.id, isAllowed);
  const actionName = useActionName();
  const actorName = useActorName();
  const reasonName = useReasonName();
  const reason = group.release_reason === null ? '' : reasonName(group.release_reason);
  const why = [reason, group.release_note].filter(Boolean).join(': ');
  const between = (query.data?.items ?? []).filter(({ action }) => !groupActions.has(action));
  const { id: runId, type } = group.held_by;
  return (
    <section className="card members">
      <h2>{groups.history}</h2>
      <ol className="history">
        {group.released_at === null ? null : (
          <li>
            <Moment of={group.released_at} />
            <bdi>
              {groups.releasedBy(group.released_by === null ? groups.somebody : actorName(group.released_by), why)}
            </bdi>
          </li>
        )}
        {between.map((entry) => (
          <li key={entry.seq}>
            <Moment of={entry.at} />
            <span>
              {actionName(entry.action)} <bdi>{actorName(entry.actor)}</bdi>{' '}
              <bdi>{entry.reason === null ? '' : reasonName(entry.reason)}</bdi>
            </span>
          </li>
        ))}
        {group.confirmed_at === null ? null : (
          <li>
            <Moment of={group.confirmed_at} />
            <bdi>
              {groups.confirmedBy(group.confirmed_by === null ? groups.somebody : actorName(group.confirmed_by))}
            </bdi>
          </li>
        )}
        <li>
          <Moment of={group.held_at} />
          <span>
            <bdi>{groups.heldBy(actorName(group.held_by))}</bdi>{' '}
            {type === 'job' && runId !== null ? (
              <Link
                className="link"
                to="/reconciliations/$id/runs"
                params={{ id: group.reconciliation_id }}
                search={{ run: runId }}
              >
                {groups.showRun}
              </Link>
            ) : null}
          </span>
        </li>
      </ol>
      {isAllowed ? null : <p className="soft">{groups.noHistory}</p>}
    </section>
  );
}
