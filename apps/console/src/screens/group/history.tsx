import { Link } from '@tanstack/react-router';
import { useHistory, type GroupAnswer } from '../../api/groups';
import { useAllows } from '../../api/session';
import { useActionName } from '../../parts/action-name';
import { useActorName } from '../../parts/actor-name';
import { useReasonName } from '../../parts/reasons';
import { Moment } from '../../parts/values';
import { useText } from '../../text';

/** Entries of the trail that the group itself tells: how it began, was approved and ended. */
const groupActions = new Set(['hold', 'confirm', 'approve', 'release', 'reject'].map((verb) => `match_group.${verb}`));

/** All that became of a group, newest first. */
export function History({ group }: { group: GroupAnswer }) {
  const { groups } = useText();
  const isAllowed = useAllows('audit:read');
  const query = useHistory(group.reconciliation_id, group.id, isAllowed);
  const actionName = useActionName();
  const actorName = useActorName();
  const reasonName = useReasonName();
  const nameOf = (actor: GroupAnswer['released_by']): string => (actor === null ? groups.somebody : actorName(actor));
  const reason = group.release_reason === null ? '' : reasonName(group.release_reason);
  const why = [reason, group.release_note].filter(Boolean).join(': ');
  const between = (query.data?.items ?? []).filter(({ action }) => !groupActions.has(action));
  const { id: runId, type } = group.held_by;
  const { approval, confirmed_at: confirmedAt } = group;
  const begun = approval === null ? groups.heldBy : groups.sentBy;
  // The approval of what a run has held also confirms it: one line tells both.
  const isApproval = approval?.status === 'approved' && group.confirmed_by === null;
  return (
    <section className="card members">
      <h2>{groups.history}</h2>
      <ol className="history">
        {group.released_at === null ? null : (
          <li>
            <Moment of={group.released_at} />
            <bdi>{groups.releasedBy(nameOf(group.released_by), why)}</bdi>
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
        {approval?.status === 'approved' && approval.decided_at !== null ? (
          <li>
            <Moment of={approval.decided_at} />
            <bdi>
              {groups.approvedBy(nameOf(approval.decided_by))}
              {approval.note === null ? '' : `: ${approval.note}`}
            </bdi>
          </li>
        ) : null}
        {confirmedAt === null || isApproval ? null : (
          <li>
            <Moment of={confirmedAt} />
            <bdi>{groups.confirmedBy(nameOf(group.confirmed_by))}</bdi>
          </li>
        )}
        <li>
          <Moment of={group.held_at} />
          <span>
            <bdi>{begun(actorName(group.held_by))}</bdi>{' '}
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
