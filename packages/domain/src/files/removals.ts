import { isDatabaseUnavailable, messageOf } from '@tieout/infra';
import { tenantScope, type DomainDeps, type TenantScope } from '../scope';

/** The storage may be away: it is not asked for each file that there is. */
const mostFailures = 20;

/** Removals of files of any tenants. One that fails is logged and left to a later time, and the others go on. */
export class Removals {
  private failures = 0;

  constructor(private readonly deps: DomainDeps) {}

  /** Whether so many have failed that no more are to be tried now. */
  get givenUp(): boolean {
    return this.failures >= mostFailures;
  }

  async try<File extends { id: string; tenantId: string }>(file: File, remove: (scope: TenantScope, file: File) => Promise<void>): Promise<void> {
    const { id: fileId, tenantId } = file;
    try {
      await remove(tenantScope(this.deps, tenantId), file);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.failures++;
      this.deps.logger.warn({ tenantId, fileId, reason: messageOf(error) }, 'a file could not be removed');
    }
  }

  /** Fails where one has failed: on-call sees it by the queue job. */
  end(): void {
    if (this.failures > 0) throw new Error(`${this.failures} ${this.failures === 1 ? 'file' : 'files'} could not be removed, the log says why`);
  }
}
