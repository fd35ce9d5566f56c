import { isDatabaseUnavailable, messageOf } from '@tieout/infra';
import { tenantScope, type DomainDeps, type TenantScope } from './scope';

/** Of what asks the queue, which takes seconds to say that it is away. */
export const mostRecoveryFailures = 3;

/** The same work for one after the other, of any tenants: where it fails, that is logged and left to a later time, and the others go on. */
export class Attempts {
  private failures = 0;

  /**
   * @param work such as `file` could not be `removed`
   * @param mostFailures what is at fault may be away: it is not asked for each one that there is
   */
  constructor(
    private readonly deps: DomainDeps,
    private readonly work: { what: string; done: string },
    private readonly mostFailures = 20,
  ) {}

  /** Whether so many have failed that no more are to be tried now. */
  get givenUp(): boolean {
    return this.failures >= this.mostFailures;
  }

  /** Does nothing once given up. @param ids what the log says where it fails */
  async try(
    ids: Readonly<Record<string, string>> & { tenantId: string },
    attempt: (scope: TenantScope) => Promise<void>,
  ): Promise<void> {
    if (this.givenUp) return;
    try {
      await attempt(tenantScope(this.deps, ids.tenantId));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.failures++;
      this.deps.logger.warn({ ...ids, reason: messageOf(error) }, `a ${this.work.what} could not be ${this.work.done}`);
    }
  }

  /** Fails where one has failed: on-call sees it by the queue job. */
  end(): void {
    const { what, done } = this.work;
    if (this.failures > 0)
      throw new Error(
        `${this.failures} ${what}${this.failures === 1 ? '' : 's'} could not be ${done}, the log says why`,
      );
  }
}
