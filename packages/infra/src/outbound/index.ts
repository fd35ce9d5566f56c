export { createOutboundClient, type OutboundOptions } from './client';
export type {
  AttemptOutcome,
  BodyState,
  OutboundClient,
  OutboundPolicy,
  OutboundReply,
  OutboundRequest,
  OutboundResult,
  ResolveHost,
  UrlVerdict,
} from './types';
