import { isDatabaseUnavailable, messageOf } from '@tieout/infra';
import { tenantScope, type DomainDeps, type TenantScope } from './scope';

/** What holds them may be away: it is not asked for each one that there is. */
const mostFailures = 20;

/** Removals of files, or of something else, of any tenants. One that fails is logged and left to a later time, and the others go on. */
export class Removals {
  private failures = 0;

  constructor(
    private readonly deps: DomainDeps,
    private readonly what: 'file' | 'result',
  ) {}

  /** Whether so many have failed that no more are to be tried now. */
  get givenUp(): boolean {
    return this.failures >= mostFailures;
  }

  /** @param ids what the log says where it fails */
  async try(ids: Readonly<Record<string, string>> & { tenantId: string }, remove: (scope: TenantScope) => Promise<void>): Promise<void> {
    try {
      await remove(tenantScope(this.deps, ids.tenantId));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.failures++;
      this.deps.logger.warn({ ...ids, reason: messageOf(error) }, `a ${this.what} could not be removed`);
    }
  }

  /** Fails where one has failed: on-call sees it by the queue job. */
  end(): void {
    if (this.failures > 0) throw new Error(`${this.failures} ${this.what}${this.failures === 1 ? '' : 's'} could not be removed, the log says why`);
  }
}
