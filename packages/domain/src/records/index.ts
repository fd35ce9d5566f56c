export { identifyBodies, type IdentifyRequest } from './identify';
export type { FieldDefinition, FieldType } from './field';
