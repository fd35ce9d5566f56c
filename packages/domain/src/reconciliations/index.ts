export * from './definition';
export * from './groups';
export * from './items';
export { wireAmount, wireDecimal } from './amounts';
export { createReasonCode, deleteReasonCode, listReasonCodes, type ReasonCode } from './reason-codes';
