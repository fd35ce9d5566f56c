import type { TSchema } from '@sinclair/typebox';
import type { Json } from './openapi-errors';

type JsonMap = { [key: string]: Json };

/**
 * Collects the schemas that have a name, so that the document holds each of them once. Generators make a type of each
 * name; of an object without one they make a type with a number.
 */
export class NamedSchemas {
  readonly byName: JsonMap = {};

  /**
   * Replaces each object with properties, and each choice of several names, by a reference. It bears the name of its
   * `$id`, else that of its place.
   * @param place in PascalCase: `MatchGroup`, then `MatchGroupApproval` for its property `approval`, and
   *   `MatchGroupAdjustment` for an item of its `adjustments`
   * @throws Error for two schemas of one name
   */
  refer(schema: unknown, place: string): Json {
    if (!isMap(schema)) return schema as Json;
    if (isAmount(schema)) return withDescription(schema, this.hold('Amount', amount));
    if (isSingleChoice(schema)) return withDescription(schema, this.refer(schema.anyOf[0], place) as JsonMap);
    const { $id } = schema;
    if (typeof $id === 'string') return this.hold($id, this.partsOf(schema, $id));
    const parts = this.partsOf(schema, place);
    if (!needsName(parts)) return parts;
    const { description: _, ...shape } = parts;
    if (!Array.isArray(shape['type'])) return withDescription(parts, this.hold(place, shape));
    const reference = this.hold(place, { ...shape, type: 'object' });
    return withDescription(parts, { anyOf: [reference, { type: 'null' }] });
  }

  /** Names a whole body or answer, which keeps its description. */
  referToWhole(schema: unknown, name: string): Json {
    if (!isMap(schema) || typeof schema['$id'] === 'string') return this.refer(schema, name);
    const parts = this.partsOf(schema, name);
    return needsName(parts) ? this.hold(name, parts) : parts;
  }

  private partsOf(schema: JsonMap, place: string): JsonMap {
    const { $id: _, ...rest } = withoutDefaultedRequired(schema);
    return mapValues(rest, (part, key) => this.referPart(key, part, place));
  }

  private referPart(key: string, part: Json, place: string): Json {
    switch (key) {
      case 'properties':
        return mapValues(part as JsonMap, (property, name) => this.refer(property, `${place}${pascalCase(name)}`));
      case 'patternProperties':
        return mapValues(part as JsonMap, (property) => this.refer(property, singular(place)));
      case 'items':
      case 'additionalProperties':
        return this.refer(part, singular(place));
      case 'anyOf':
        return (part as Json[]).map((one) => this.refer(one, place));
      default:
        return part;
    }
  }

  private hold(name: string, parts: Json): JsonMap {
    const known = this.byName[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parts))
      throw new Error(`two schemas are named ${name}: give one of them another $id`);
    this.byName[name] = parts;
    return { $ref: `#/components/schemas/${name}` };
  }
}

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (map: JsonMap, change: (value: Json, key: string) => Json): JsonMap =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));

/** Describes a reference by the text of the schema in its place. */
const withDescription = ({ description }: JsonMap, reference: JsonMap): JsonMap =>
  description === undefined ? reference : { description, ...reference };

/** Returns whether generators make a type of a schema. */
function needsName({ properties, anyOf }: JsonMap): boolean {
  const named = Array.isArray(anyOf) ? anyOf.filter((one) => isMap(one) && one['$ref'] !== undefined) : [];
  return properties !== undefined || named.length > 1;
}

/** Returns whether a schema only describes another one: `described`. */
const isSingleChoice = (schema: JsonMap): schema is JsonMap & { anyOf: [Json] } =>
  Array.isArray(schema['anyOf']) && schema['anyOf'].length === 1;

const amount: Json = {
  description: 'A number; a text of digits where a number would not be exact',
  anyOf: [{ type: 'number' }, { type: 'string', maxLength: 40 }],
};

/** Returns whether a schema is that of an amount, which many operations have. */
function isAmount({ anyOf, description: _, ...others }: JsonMap): boolean {
  const [number, text, ...more] = Array.isArray(anyOf) ? anyOf.map((one) => isMap(one) && one['type']) : [];
  return number === 'number' && text === 'string' && [...more, ...Object.keys(others)].length === 0;
}

/** Drops keys with a default from `required`: validation fills them in, so callers may leave them out. */
function withoutDefaultedRequired(schema: JsonMap): JsonMap {
  const { required, properties } = schema as { required?: unknown; properties?: Record<string, TSchema> };
  if (!Array.isArray(required) || !properties) return schema;
  const needed = (required as string[]).filter((name) => properties[name]?.['default'] === undefined);
  const { required: _, ...rest } = schema;
  return needed.length > 0 ? { ...rest, required: needed } : rest;
}

/** Turns `best_possible` and `bestPossible` into `BestPossible`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase());

/** Turns the last word of a name from its plural into its singular, where it ends as a plural does. */
const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|ss|x)es$/, '$1')
    .replace(/([^su])s$/, '$1');
