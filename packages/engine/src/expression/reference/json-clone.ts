import { checkTextLength, checkVisited } from '../limits/bounds';
import { fail } from '../fault';
import { tickMembers } from '../limits/meter';
import { isFunctionObject, setMember } from '../plain';

/** The size of a value's JSON, counted over the whole value. */
interface Counted {
  nodes: number;
  characters: number;
}

/** Copies a value as its JSON does: jsonata keeps 15 digits of a number and writes a function as an empty text. */
export function cloneAsJson(value: unknown): unknown {
  const counted: Counted = { nodes: 0, characters: 0 };
  const clone = cloned(isWrapper(value) ? value[0] : value, counted);
  tickMembers(counted.nodes);
  return clone;
}

function cloned(value: unknown, counted: Counted): unknown {
  checkVisited(++counted.nodes);
  switch (typeof value) {
    case 'string':
      checkTextLength((counted.characters += value.length));
      return value;
    case 'number':
      return clonedNumber(value);
    case 'function':
      return '';
    case 'object':
      return value === null ? null : clonedObject(value, counted);
    default:
      return value ?? null;
  }
}

function clonedObject(value: object, counted: Counted): unknown {
  if (Array.isArray(value)) return value.map((item) => cloned(item, counted));
  if (isFunctionObject(value)) return '';
  const clone: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    counted.characters += key.length;
    if (member !== undefined) setMember(clone, key, cloned(member, counted));
  }
  return clone;
}

function clonedNumber(value: number): number | null {
  if (Number.isNaN(value)) return null;
  if (!Number.isFinite(value)) return fail({ code: 'D1001', value });
  // JSON knows no negative zero.
  return Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15));
}

/** The array that jsonata puts around an input that is one. */
function isWrapper(value: unknown): value is unknown[] {
  return Array.isArray(value) && 'outerWrapper' in value && value.outerWrapper === true;
}
