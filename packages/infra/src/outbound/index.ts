export { createOutboundClient } from './client';
export { outboundPolicy, outboundSettings } from './outbound-config';
export type {
  PostOutcome,
  BodyState,
  OutboundClient,
  OutboundPolicy,
  OutboundReply,
  OutboundRequest,
  OutboundResult,
  ResolveHost,
  UrlVerdict,
} from './types';
