export {
  alsoScopes,
  alsoSuspended,
  assertHasScope,
  ownAccess,
  assertMayApprove,
  assertSeesRecords,
  mayApprove,
  platformAccess,
  publicAccess,
  seesRecords,
  tenantAccess,
} from './access';
export type { TenantPrincipal } from './access';
export { originOf } from './actor';
export type { RequestSender } from './sender';
export { csrfTokenOf, readCookie, setCookie, setSessionCookie } from './session-cookie';
export { defineRoute, type MultipartBody, type Route } from './define-route';
export { jsonType } from './respond';
export { replyCursorGroups, replyCursorPage, replyPageGroups } from './page-reply';
export { reply, replyBytes, replyStream, type Reply } from './reply';
export {
  camelCursorPageOf,
  cursorPageOf,
  cursorQuery,
  pageOf,
  pageQuery,
  pageRequest,
  presentCamelCursorPage,
  presentPage,
} from './paging';
export {
  always,
  closed,
  count,
  described,
  failure,
  freeForm,
  label,
  nullable,
  ofRecords,
  textEnum,
  timestamp,
  uuid,
  warning,
} from './schemas';
export { placesOf, type ApiDeps } from './deps';
