import { randomUUID } from 'node:crypto';

/** JSON that stays text between the database and an answer. */
export class JsonText {
  constructor(readonly text: string) {}

  /** Gives its value to other serializers. */
  toJSON(): unknown {
    if (!pending) return JSON.parse(this.text);
    pending.push(this.text);
    return placeholder;
  }
}

/** Random, so that no input can contain it. */
const placeholder = randomUUID();
const quotedPlaceholder = `"${placeholder}"`;
/** The texts of the current call, in the order in which they occur. */
let pending: string[] | undefined;

/** Serializes like JSON.stringify, with every JsonText copied as it is. */
export function stringifyJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const texts: string[] = [];
  pending = texts;
  let frame: string;
  try {
    frame = JSON.stringify(value);
  } finally {
    pending = undefined;
  }
  let whole = '';
  let from = 0;
  for (const text of texts) {
    const at = frame.indexOf(quotedPlaceholder, from);
    whole += frame.slice(from, at) + text;
    from = at + quotedPlaceholder.length;
  }
  return whole + frame.slice(from);
}
