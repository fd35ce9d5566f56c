import type { JobPayload } from '@tieout/infra';
import { whileActive } from '../../access/pauses';
import type { Jobs } from '../../kernel/jobs';
import { tenantScope, type DomainDeps } from '../../kernel/scope';
import { feedDatasets } from './feed';
import { tenantDelayMs } from './lease';
import { runItemStep, type ItemStepMeans } from './step';

/** The jobs of the items queue. They are safe to repeat and to be killed at any point. */
export function createItemHandlers(deps: DomainDeps, means: Omit<ItemStepMeans, 'logger'>) {
  return whileActive(deps, {
    'item.sync': ({ tenantId, itemId }: JobPayload<Jobs, 'item.sync'>): Promise<void> =>
      runItemStep(tenantScope(deps, tenantId), itemId, { ...means, logger: deps.logger }),
    'item.ingest': ({ tenantId, itemId }: JobPayload<Jobs, 'item.ingest'>): Promise<void> =>
      feedDatasets(tenantScope(deps, tenantId), itemId, means.stopping),
  });
}

/** Returns how long the consumer of the items queue defers a job: a tenant with many items must not delay others. */
export function deferItems({ db }: Pick<DomainDeps, 'db'>): (payload: unknown) => Promise<number> {
  return (payload) => tenantDelayMs(db.system, (payload as JobPayload<Jobs, 'item.sync'>).tenantId);
}
