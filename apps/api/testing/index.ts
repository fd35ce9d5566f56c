export { storeComposite, type CompositeBody, type CompositeDetailBody, type StoredComposite } from './composites';
export { newSource, recordsIn, uploadTo, type FileBody, type ReadRecord } from './files';
export { itemsOf, type ItemBody, type TestItems, type ReceivedEvent } from './items';
export {
  alone,
  onlyProvider,
  startTestApi,
  type KeyedApi,
  type TestApi,
  type TestApiOptions,
  type TestTenant,
} from './test-api';
export {
  addRecords,
  allOf,
  becomes,
  eventually,
  lockWaiters,
  openBooks,
  reaches,
  unnormalise,
  whileLocked,
  type Books,
  type JobBody,
  type ListBody,
  type MatchBody,
  type RuleSetBody,
  type UnmatchedBody,
} from './reconciliation';
export { cookieOf, openUser, password, signedIn, type SignedInUser } from './people';
export { allPages, expectExact, usageOf } from './usage';
export { amountRules, groupRules, ofCase, openLedger, rowsOfCases, type Ledger } from './ledger';
export { Browser, startIdentityProvider, type TestIdentityProvider } from './identity';
