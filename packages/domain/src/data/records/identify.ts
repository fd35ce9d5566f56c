import { readPath } from '@tieout/engine';
import { findUnstorable } from '@tieout/infra';
import { coerce } from './coerce';
import type { FieldDefinition, IdentifyRequest, JsonObject } from '../../kernel/ports';
import { valueReader, type ReadValue } from './read-value';

export const maxExternalIdLength = 512;

/** Returns the identity fields, in the order of their declaration. */
function identityFields(fields: readonly FieldDefinition[]): FieldDefinition[] {
  return fields.filter((field) => field.isIdentity);
}

/** Returns whether an identity needs an expression, which only a child process may evaluate. */
export function identityNeedsExpressions(fields: readonly FieldDefinition[]): boolean {
  return fields.some((field) => field.isIdentity && field.transformExpr !== null);
}

/**
 * Computes the external id from identity fields without expressions; null when none of them has a value. One field
 * gives its value as text, several give the JSON array of their values, with null for a missing one. Values are
 * normalised, so that the amounts 100 and "100.00" name one record; a value that cannot be coerced is used as it is.
 */
export function identityOf(fields: readonly FieldDefinition[], body: JsonObject): string | null {
  return joinIdentity(
    identityFields(fields).map((field) => identityText(field, readPath(body, field.sourcePath ?? field.key))),
  );
}

/**
 * Like `identityOf`, with expressions; runs in a child process. An expression that fails, or whose value cannot be
 * stored, gives no value.
 */
export async function identifyBodies(request: IdentifyRequest): Promise<(string | null)[]> {
  const readers = identityFields(request.fields).map((field) => ({ field, read: valueReader(field) }));
  const ids: (string | null)[] = [];
  for (const body of request.bodies) {
    const texts: (string | null)[] = [];
    for (const { field, read } of readers) texts.push(identityText(field, await readStorable(read, body)));
    ids.push(joinIdentity(texts));
  }
  return ids;
}

async function readStorable(read: ReadValue, body: JsonObject): Promise<unknown> {
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

/** Serializes JSON with sorted keys. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Orders external ids, null first. Writers that store records in this order cannot deadlock. */
export function compareExternalIds(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}
