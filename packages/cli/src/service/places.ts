import { TieoutError, type RequestFault } from '@tieout/client';
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
    throw error instanceof TieoutError ? reworded(error, places) : error;
  }
}

function reworded(error: TieoutError, places: Places): TieoutError {
  const { status, code, requestId } = error;
  const errors = error.errors.map((fault): RequestFault => ({ ...fault, path: placeOf(fault.path, places) }));
  const [before, after] = [error.errors[0], errors[0]];
  const isOfFirst = before !== undefined && after !== undefined && error.message.startsWith(`${before.path}: `);
  const message = isOfFirst ? `${after.path}${error.message.slice(before.path.length)}` : error.message;
  return new TieoutError(message, { status, code, requestId, errors }, { cause: error });
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
