import { invalid, keyIdOf, pointerTo, type Cipher, type FieldError } from '@tieout/infra';
import type { Connector, Parameters } from '../open-finance';

export const parametersPurpose = 'items.parameters';

/** Binds encrypted parameters to their item: in another row they cannot be decrypted. */
const binding = (tenantId: string, itemId: string) => ({ tenantId, purpose: parametersPurpose, rowId: itemId });

/** SQL: the parameters of item `i`, if it holds any for its next step, are under one of the keys `keyIds`. */
export const isReadableSql = (keyIds: string): string =>
  `(i.parameters is null or ${keyIdOf('i.parameters')} = any(${keyIds}::text[]))`;

export const encryptParameters = (cipher: Cipher, tenantId: string, itemId: string, parameters: Parameters): string =>
  cipher.encrypt(JSON.stringify(parameters), binding(tenantId, itemId));

const decryptParameters = (cipher: Cipher, tenantId: string, itemId: string, envelope: string): Parameters =>
  JSON.parse(cipher.decrypt(envelope, binding(tenantId, itemId))) as Parameters;

/** Decrypts the parameters that an item holds; {} when it holds none. */
export const heldParameters = (
  cipher: Cipher,
  tenantId: string,
  { id, parameters }: { id: string; parameters: string | null },
): Parameters => (parameters === null ? {} : decryptParameters(cipher, tenantId, id, parameters));

/**
 * @throws AppError validation_error: no such connector, or a parameter that its login needs is missing. No message
 * holds a value.
 */
export function checkParameters(connectors: readonly Connector[], connectorId: string, parameters: Parameters): void {
  const connector = connectors.find(({ id }) => id === connectorId);
  if (!connector) {
    const known = connectors.map(({ id }) => id).join(', ');
    throw invalid([{ path: '/connectorId', code: 'unknown_connector', message: `must be one of ${known}` }]);
  }
  const faults = connector.parameters.flatMap(({ name, required }): FieldError[] => {
    const given = Object.hasOwn(parameters, name) && parameters[name] !== '';
    return required && !given
      ? [{ path: `/parameters${pointerTo(name)}`, code: 'required', message: 'is required by this connector' }]
      : [];
  });
  if (faults.length > 0) throw invalid(faults);
}
