import type { DomainDeps } from '@tieout/domain';
import type { Readiness } from '@tieout/infra';

/** What handlers get besides their request. */
export interface ApiDeps extends DomainDeps {
  /** Whether everything that the API needs answers. */
  readiness: () => Promise<Readiness>;
}
