import { ruleSetSchema } from '../generated/rule-set-schema';

/** The keywords of JSON Schema that the schema of rule sets uses. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** One fault of a rule set, and the JSON pointer to it. */
export interface RuleFault {
  path: string;
  message: string;
}

const root = ruleSetSchema as Schema;
/** Points to a member of the value that a JSON pointer names. */
export const pointer = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Finds what keeps a value from being a rule set, by its schema. */
export const schemaFaults = (value: unknown): RuleFault[] => faultsOf(root, value, '');

/** Puts the members of a rule set in the order of its schema, as people write them; unknown ones go last. */
export const inOrderOfSchema = (value: unknown): unknown => ordered(root, value);

function ordered(given: Schema, value: unknown): unknown {
  const { items = {}, properties } = resolved(given);
  if (Array.isArray(value)) return value.map((item) => ordered(items, item));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const names = [...Object.keys(properties).filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)];
  const own = value as Record<string, unknown>;
  return Object.fromEntries([...new Set(names)].map((name) => [name, ordered(properties[name] ?? {}, own[name])]));
}

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (root.$defs?.[schema.$ref.slice('#/$defs/'.length)] ?? {});

function faultsOf(given: Schema, value: unknown, path: string): RuleFault[] {
  const schema = resolved(given);
  const fault = (message: string): RuleFault[] => [{ path: path === '' ? '/' : path, message }];
  if (!hasType(schema.type, value)) return fault(`must be ${article(schema.type)}`);
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return fault(`must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}`);
  const bound = boundsOf(schema, value);
  if (bound !== null) return fault(bound);
  if (Array.isArray(value))
    return value.flatMap((item, at) =>
      schema.items === undefined ? [] : faultsOf(schema.items, item, pointer(path, at)),
    );
  return typeof value === 'object' && value !== null ? memberFaults(schema, value, path) : [];
}

function memberFaults({ properties = {}, required = [], ...schema }: Schema, value: object, path: string): RuleFault[] {
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: pointer(path, name), message: 'is required' }));
  const own = Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) return faultsOf(known, member, pointer(path, name));
    if (schema.additionalProperties !== false) return [];
    return [{ path: pointer(path, name), message: `is not known; known are ${Object.keys(properties).join(', ')}` }];
  });
  return [...missing, ...own];
}

function hasType(type: Schema['type'], value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === type;
}

const article = (type = ''): string => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;

function boundsOf(schema: Schema, value: unknown): string | null {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  if (typeof value === 'string')
    return boundFault(value.length, { min: minLength, max: maxLength, unit: 'characters' });
  if (typeof value === 'number') return boundFault(value, { min: minimum, max: maximum, unit: null });
  return Array.isArray(value) ? boundFault(value.length, { min: minItems, max: maxItems, unit: 'items' }) : null;
}

interface Bounds {
  min: number | undefined;
  max: number | undefined;
  unit: 'characters' | 'items' | null;
}

function boundFault(size: number, { min, max, unit }: Bounds): string | null {
  const atLeast = unit === null ? `must be >= ${min}` : `must have at least ${min} ${unit}`;
  const atMost = unit === null ? `must be <= ${max}` : `must have at most ${max} ${unit}`;
  if (min !== undefined && size < min) return atLeast;
  return max !== undefined && size > max ? atMost : null;
}
