import { readPath } from '@tieout/engine';
import { findUnstorable } from '@tieout/infra';
import { coerce } from './coerce';
import type { FieldDefinition, JsonObject } from './field';
import { valueReader, type ReadValue } from './read-value';

/** The declared fields of a dataset and the bodies whose identity they give. */
export interface IdentifyRequest {
  fields: readonly FieldDefinition[];
  bodies: readonly JsonObject[];
}

export const MAX_EXTERNAL_ID_LENGTH = 512;

/** The fields that give an identity, in the order in which they were declared. */
export function identityFields(fields: readonly FieldDefinition[]): FieldDefinition[] {
  return fields.filter((field) => field.isIdentity);
}

/** True when an identity is computed by an expression, which only a child process may run. */
export function identityNeedsExpressions(fields: readonly FieldDefinition[]): boolean {
  return fields.some((field) => field.isIdentity && field.transformExpr !== null);
}

/**
 * The external id that identity fields without expressions give a body; null when none of them has a value.
 * One field: its value as text. Several: the JSON array of their values, null for a missing one.
 * A value is taken in its normalised form, so that 100 and "100.00" of an amount name one record; one that
 * cannot be coerced stands as it is.
 */
export function identityOf(fields: readonly FieldDefinition[], body: JsonObject): string | null {
  return joinIdentity(
    identityFields(fields).map((field) => identityText(field, readPath(body, field.sourcePath ?? field.key))),
  );
}

/** Runs in a child process: like `identityOf`, with expressions. One that fails, or gives what cannot be stored, gives no value. */
export async function identifyBodies(request: IdentifyRequest): Promise<(string | null)[]> {
  const readers = identityFields(request.fields).map((field) => ({ field, read: valueReader(field) }));
  const ids: (string | null)[] = [];
  for (const body of request.bodies) {
    const texts: (string | null)[] = [];
    for (const { field, read } of readers) texts.push(identityText(field, await readOrNothing(read, body)));
    ids.push(joinIdentity(texts));
  }
  return ids;
}

async function readOrNothing(read: ReadValue, body: JsonObject): Promise<unknown> {
  const reading = await read(body);
  return reading.ok && findUnstorable(reading.value) === undefined ? reading.value : undefined;
}

function identityText(field: FieldDefinition, raw: unknown): string | null {
  const coerced = coerce(field.type, raw, field.notation);
  if (coerced.kind === 'absent') return null;
  const value = coerced.kind === 'value' ? coerced.value : raw;
  return typeof value === 'string' ? value : canonicalJson(value);
}

function joinIdentity(texts: readonly (string | null)[]): string | null {
  if (texts.every((text) => text === null)) return null;
  return texts.length === 1 ? (texts[0] ?? null) : JSON.stringify(texts);
}

/** JSON text that does not depend on the order of keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
