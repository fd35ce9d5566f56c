import type { Browse, DomainDeps, OpenFinance } from '@tieout/domain';
import type { Cipher, OutboundClient, Readiness } from '@tieout/infra';

/** What handlers get besides their request. */
export interface ApiDeps extends DomainDeps {
  /** Whether everything that the API needs answers. */
  readiness: () => Promise<Readiness>;
  /** Requests to hosts that tenants name. */
  outbound: OutboundClient;
  /** The providers of bank data. */
  openFinance: OpenFinance;
  /** What they have. */
  browse: Browse;
  /** For secrets at rest. */
  cipher: Cipher;
}
