export { createTestAuthority, type Certificate, type CertificateOptions, type TestAuthority } from './authority';
export * as behaviours from './behaviours';
export type { Behaviour, ReceiverExchange as Exchange } from './behaviours';
export {
  receiverNames,
  startHttpsReceiver,
  type HttpsReceiver,
  type HttpsReceiverOptions,
  type ReceivedRequest,
} from './receiver';
export { startTcpListener, type TcpListener } from './tcp-listener';
