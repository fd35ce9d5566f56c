/** Max characters that are compared: of longer texts only the beginning counts, which bounds the work of one call. */
export const maxComparedCharacters = 1_024;

const firstSurrogate = 0xd800;
const surrogateBits = 0xf800;

/** Two texts with one UTF-16 unit per character. Units are equal where the characters are equal. */
export interface UnitTexts {
  left: string;
  right: string;
}

/**
 * The first `maxComparedCharacters` characters (code points) of both texts. Characters outside the
 * basic plane, and stray surrogates, are replaced by surrogates handed out in order of appearance:
 * there are 2,048 of them, as many as two texts can need.
 */
export function unitTexts(left: string, right: string): UnitTexts {
  const leftStart = comparedPart(left);
  const rightStart = comparedPart(right);
  if (!hasSurrogate(leftStart) && !hasSurrogate(rightStart)) return { left: leftStart, right: rightStart };
  const standIns = new Map<string, string>();
  return { left: recode(left, standIns), right: recode(right, standIns) };
}

/** Returns the part of a text that functions compare: its first `maxComparedCharacters` UTF-16 units. */
export const comparedPart = (text: string): string => beginning(text, maxComparedCharacters);

/** Returns the first `units` UTF-16 units of a text. */
function beginning(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units);
}

function hasSurrogate(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (isSurrogate(text.charCodeAt(index))) return true;
  }
  return false;
}

function isSurrogate(unit: number): boolean {
  return (unit & surrogateBits) === firstSurrogate;
}

function recode(text: string, standIns: Map<string, string>): string {
  const characters = Array.from(beginning(text, 2 * maxComparedCharacters)).slice(0, maxComparedCharacters);
  return characters
    .map((character) => {
      if (!isSurrogate(character.charCodeAt(0))) return character;
      const standIn = standIns.get(character) ?? String.fromCharCode(firstSurrogate + standIns.size);
      standIns.set(character, standIn);
      return standIn;
    })
    .join('');
}
