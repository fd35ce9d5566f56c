export { ownRequests, fills, valueAt, withId, type OwnRequest } from './requests';
export { openOwner, type Owner, type ResourceKind, type Resources } from './resources';
export { operationsWithIds, type IdOperation } from './slots';
export { openState, type StateReader } from './state';
