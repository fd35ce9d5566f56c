import type { SystemDb } from '@tieout/infra';
import { oldBefore, repeatWithPauses, type Days } from '../kernel/retention';

const rowsPerStep = 500;

/** Deletes proposals that were decided `days` ago; those that wait stay. */
export async function deleteOldProposals(db: SystemDb, days: Days): Promise<void> {
  await repeatWithPauses(async () => {
    const deleted = await db.execute(
      `delete from agent_proposals where id in (
         select id from agent_proposals where status in ('confirmed', 'rejected') and decided_at < ${oldBefore('$1')}
          limit ${rowsPerStep} for update skip locked)`,
      [days],
    );
    return deleted === rowsPerStep;
  });
}
