/** NUL and halves of surrogate pairs: with the u flag a whole pair is one character of another category. */
const unstorableCharacters = /\0|\p{Surrogate}/gu;

/** A text as JSONB takes it: U+FFFD stands for NUL and for half a surrogate pair. */
export function storableText(text: string): string {
  return text.replace(unstorableCharacters, '\uFFFD');
}

/** JSON data only, with texts as JSONB takes them. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'function' || value === undefined) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => storable(item) ?? null);
  const members = Object.entries(value).map(([key, member]) => [storableText(key), storable(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
