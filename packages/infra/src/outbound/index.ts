export { createOutboundClient, type OutboundOptions } from './client';
export { outboundPolicy, outboundSettings, type OutboundEnvironment } from './outbound-config';
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
