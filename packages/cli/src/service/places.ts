import { TieoutError } from '@tieout/client';
import { shownText } from '../output/print';

/** The values of an option, which a request has as a list. */
interface OptionValues {
  option: string;
  values: readonly string[];
}

/** The option, argument or part of a file that a person has given for each part of a request, by JSON pointers. */
export type Places = Readonly<Record<string, string | OptionValues>>;

/** Waits for an answer. A refusal names what the person has given in place of pointers into the request. */
export async function givenAs<T>(places: Places, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof TieoutError ? error.withPaths((path) => placeOf(path, places)) : error;
  }
}

/** Returns the words for a pointer: those of its longest part that has some, then the rest where they can go on. */
function placeOf(pointer: string, places: Places): string {
  const [known] = Object.keys(places)
    .filter((one) => `${pointer}/`.startsWith(`${one}/`))
    .sort((one, other) => other.length - one.length);
  const place = known === undefined ? undefined : places[known];
  if (known === undefined || place === undefined) return pointer;
  const rest = pointer.slice(known.length);
  if (typeof place === 'string') return `${place}${rest}`;
  const value = place.values[Number(rest.split('/')[1])];
  return value === undefined ? place.option : `${place.option} ${shownText(value, 80)}`;
}

/**
 * The places of a rule set that a request has from a file.
 * @param at the pointer to the rule set in the request
 */
export const placesInFile = (file: string, at = ''): Places => ({
  [at]: `${file}: `,
  [`${at}/leftDatasetId`]: `${file}: /left`,
  [`${at}/rightDatasetId`]: `${file}: /right`,
});
