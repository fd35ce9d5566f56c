import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../../kernel/jobs';
import { tenantScope, type DomainDeps } from '../../kernel/scope';
import { feedDatasets } from './feed';
import { waitForTurnMs } from './lease';
import { takeTurn, type TurnMeans } from './turn';

/** The jobs of the items queue. Safe to repeat and to be killed at any point. */
export function createItemHandlers(deps: DomainDeps, means: Omit<TurnMeans, 'logger'>) {
  return {
    'item.sync': ({ tenantId, itemId }: JobPayload<Jobs, 'item.sync'>): Promise<void> =>
      takeTurn(tenantScope(deps, tenantId), itemId, { ...means, logger: deps.logger }),
    'item.ingest': ({ tenantId, itemId }: JobPayload<Jobs, 'item.ingest'>): Promise<void> =>
      feedDatasets(tenantScope(deps, tenantId), itemId, means.stopping),
  };
}

/** For the consumer of the items queue: a tenant with many items waits, so that others do not. */
export function deferItems({ db }: Pick<DomainDeps, 'db'>): (payload: unknown) => Promise<number> {
  return (payload) => waitForTurnMs(db.system, (payload as JobPayload<Jobs, 'item.sync'>).tenantId);
}
