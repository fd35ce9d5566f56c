import { Attempts, maxRecoveryFailures } from '../kernel/attempts';
import { oldBefore, repeatWithPauses, type Days } from '../kernel/retention';
import type { DomainDeps } from '../kernel/scope';
import { isActiveSql } from '../kernel/sql';
import { enqueueInquiry, failInquiry, inquiryJobId, type Inquiry } from './inquiry';

/** Time without a sign of life after which the sweep looks for the queue job of an inquiry. */
const quietMs = 30_000;
const rowsPerStep = 100;

/** Gives inquiries back the queue jobs that a crash or an emptied queue has lost. */
export async function sweepInquiries(deps: DomainDeps, inquiry: Inquiry): Promise<void> {
  const { table, noun, job, rows } = inquiry;
  const quiet = await deps.db.system.query<{ id: string; tenantId: string }>(
    `select id::text as id, tenant_id::text as "tenantId" from ${table} s
      where status in ('queued', 'running') and ${rows} and ${isActiveSql('tenant_id')}
        and seen_at < now() - make_interval(secs => $1::float8 / 1000) order by random() limit 1000`,
    [quietMs],
  );
  const recoveries = new Attempts(deps, { noun, participle: 'taken up again' }, maxRecoveryFailures);
  for (const { id, tenantId } of quiet) {
    await recoveries.try({ tenantId, [`${noun}Id`]: id }, async (scope) => {
      const state = await scope.queue.stateOf(job, inquiryJobId(inquiry, id));
      if (state === 'failed')
        await failInquiry(scope, inquiry, id, { code: 'worker_failed', message: `The ${noun} failed` });
      else if (state === 'absent') await enqueueInquiry(scope, inquiry, id);
    });
  }
  recoveries.end();
}

/** Deletes inquiries that ended `days` ago, and those that name what is gone. */
export async function deleteOldInquiries(deps: DomainDeps, { table, orphans }: Inquiry, days: Days): Promise<void> {
  await repeatWithPauses(async () => {
    const deleted = await deps.db.system.execute(
      `delete from ${table} where id in (
         select s.id from ${table} s
          where (s.status not in ('queued', 'running') and s.finished_at < ${oldBefore('$1')})
             or ${orphans}
          limit ${rowsPerStep} for update skip locked)`,
      [days],
    );
    return deleted === rowsPerStep;
  });
}
