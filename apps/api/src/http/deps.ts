import type { Browse, DomainDeps, OpenFinance } from '@tieout/domain';
import type { Cipher, OutboundClient, Readiness } from '@tieout/infra';
import type { IdentityProvider } from '../identity/provider';

/** The dependencies of all handlers. */
export interface ApiDeps extends DomainDeps {
  /** Checks everything that the API depends on. */
  readiness: () => Promise<Readiness>;
  /** Sends requests to hosts that tenants name. */
  outbound: OutboundClient;
  openFinance: OpenFinance;
  /** Lists the data of the providers. */
  browse: Browse;
  /** Tells who people are; null: they sign in with passwords. */
  identityProvider: IdentityProvider | null;
  /** Encrypts secrets at rest. */
  cipher: Cipher;
}
