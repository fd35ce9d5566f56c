import {
  Type,
  type SchemaOptions,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox';

/** An object without any other keys. */
export function closed<P extends TProperties>(properties: P, options: SchemaOptions = {}): TObject<P> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** A map whose keys belong to the tenant. */
export function freeForm(options: SchemaOptions = {}): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });
}

/** A text that must be one of the listed values. */
export function textEnum<const T extends readonly string[]>(
  values: T,
  options: SchemaOptions = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** A truth value that is always the same: of a boolean with a `const`, generators make Java that does not compile. */
export const always = <V extends boolean>(value: V): TUnsafe<V> =>
  Type.Unsafe<V>({ type: 'boolean', description: `Always ${value}` });

/** Allows null besides the values of a schema. */
export function nullable<S extends TSchema>(schema: S, options: SchemaOptions = {}): TUnsafe<Static<S> | null> {
  const { type, $id, enum: values } = schema as { type?: unknown; $id?: string; enum?: unknown };
  // A schema with two types gives one validation message, a union gives three.
  return typeof type === 'string' && $id === undefined && values === undefined
    ? Type.Unsafe<Static<S> | null>({ ...schema, ...options, type: [type, 'null'] })
    : Type.Unsafe<Static<S> | null>(Type.Union([schema, Type.Null()], options));
}

/** Says of a schema with a name what it is at one place; its own description holds at all of them. */
export const described = <S extends TSchema>(schema: S, description: string): TUnsafe<Static<S>> =>
  Type.Unsafe<Static<S>>({ anyOf: [schema], description });

/** Marks a key with values of records. Routes of access `parts` omit it for callers without the scope for records. */
export function ofRecords<S extends TSchema>(schema: S) {
  const { description } = schema;
  const absence = 'Absent without the scope records:read';
  return Type.Optional({
    ...schema,
    description: description === undefined ? absence : `${description}. ${absence}`,
  });
}

/** Matches an empty text, or a visible one in one line, without marks that change the direction of writing. */
const labelPattern =
  '^$|^(?=.*[^\\s\\p{DI}\\p{C}\\u2800])' + '[^\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$';

/** A text by which people recognise a thing. */
export function label(maxLength: number, options: SchemaOptions = {}) {
  const title = 'text that can be seen, without control characters and marks of direction';
  return Type.String({ minLength: 1, maxLength, pattern: labelPattern, title, ...options });
}

/** A number of things. */
export const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });

/** A UUID of any version in its canonical form. */
export function uuid(options: SchemaOptions = {}) {
  return Type.String({ format: 'uuid', ...options });
}

/** ISO 8601 in UTC with milliseconds. */
export function timestamp(options: SchemaOptions = {}) {
  return Type.String({ format: 'date-time', ...options });
}

/** Says why something failed. */
export const failure = closed({ code: Type.String(), message: Type.String() }, { $id: 'Failure' });

/** Names something that is worth checking, and says what to do about it. */
export const warning = closed({ code: Type.String(), message: Type.String() }, { $id: 'Warning' });
