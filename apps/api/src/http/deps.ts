import type { Browse, DomainDeps, OpenFinance } from '@tieout/domain';
import type { Cipher, OutboundClient, Readiness } from '@tieout/infra';
import type { TenantCells } from '../cells';
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
  /** Tenants over several databases; null: there is one. The other dependencies are those of the request's cell. */
  cells: TenantCells | null;
}

/** Everything that the use cases need, of each database. */
export const placesOf = (deps: ApiDeps): readonly DomainDeps[] => deps.cells?.domains ?? [deps];
