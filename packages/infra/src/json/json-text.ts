import { randomUUID } from 'node:crypto';

/** JSON that stays text on its way from the database to an answer. */
export class JsonText {
  constructor(readonly text: string) {}

  /** Its value, where somebody else makes JSON of it. */
  toJSON(): unknown {
    if (!pending) return JSON.parse(this.text);
    pending.push(this.text);
    return place;
  }
}

/** Nobody outside of this process can know it. */
const place = randomUUID();
const quotedPlace = `"${place}"`;
/** The texts of the call in hand, in the order in which they occur. */
let pending: string[] | undefined;

/** What JSON.stringify gives, with every JsonText in it as it is. */
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
    const at = frame.indexOf(quotedPlace, from);
    whole += frame.slice(from, at) + text;
    from = at + quotedPlace.length;
  }
  return whole + frame.slice(from);
}
