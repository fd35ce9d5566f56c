import { counted } from '@tieout/engine';
import { isDatabaseUnavailable, isTenantMoving, messageOf } from '@tieout/infra';
import { tenantScope, type DomainDeps, type TenantScope } from './scope';

/** Max failures of a recovery that asks the queue: an unavailable queue takes seconds to fail a request. */
export const maxRecoveryFailures = 3;

/** Does the same work for one item after the other, of any tenants. A failure is logged, and the next item follows. */
export class Attempts {
  private failures = 0;

  /**
   * @param work for the log: a `noun` could not be `participle`, such as `file` and `removed`
   * @param maxFailures failures after which no more items are tried now: what they need may be unavailable
   */
  constructor(
    private readonly deps: DomainDeps,
    private readonly work: { noun: string; participle: string },
    private readonly maxFailures = 20,
  ) {}

  get hasGivenUp(): boolean {
    return this.failures >= this.maxFailures;
  }

  /** Does nothing after giving up. @param ids fields of the log line of a failure */
  async try(
    ids: Readonly<Record<string, string>> & { tenantId: string },
    attempt: (scope: TenantScope) => Promise<void>,
  ): Promise<void> {
    if (this.hasGivenUp) return;
    const { noun, participle } = this.work;
    try {
      await attempt(tenantScope(this.deps, ids.tenantId));
    } catch (error) {
      // Work of a tenant that moves is found in its new database, or here again.
      if (isTenantMoving(error)) return;
      if (isDatabaseUnavailable(error)) throw error;
      this.failures++;
      this.deps.logger.warn({ ...ids, reason: messageOf(error) }, `a ${noun} could not be ${participle}`);
    }
  }

  /** Throws if any item has failed, so that the queue job fails and on-call sees it. */
  end(): void {
    const { noun, participle } = this.work;
    if (this.failures === 0) return;
    throw new Error(`${counted(this.failures, noun)} could not be ${participle}, the log says why`);
  }
}
