import type { ReadingChoices } from '../../api/imports';

type Option = keyof ReadingChoices;

const numbers: readonly Option[] = ['headerRow', 'skipLines'];
const booleans: readonly Option[] = ['header', 'footer'];

/** Options of which one makes another meaningless. */
const others: Partial<Record<Option, Option>> = { header: 'headerRow', headerRow: 'header' };

/** The value of an option as the API takes it, from its text. */
const valueOf = (option: Option, text: string): string | number | boolean =>
  numbers.includes(option) ? Number(text) : booleans.includes(option) ? text === 'true' : text;

/** Sets an option, or leaves it to the service with null. Another format has options of its own. */
export function withChoice(choices: ReadingChoices, option: Option, text: string | null): ReadingChoices {
  const dropped = [option, ...(text === null ? [] : [others[option]])];
  const kept: ReadingChoices =
    option === 'format'
      ? {}
      : Object.fromEntries(Object.entries(choices).filter(([one]) => !dropped.includes(one as Option)));
  return text === null ? kept : { ...kept, [option]: valueOf(option, text) };
}
