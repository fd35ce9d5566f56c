import type { Kind, Place } from './expressions';
import { term, text } from './term';
import type { Term } from './term';

/**
 * Arguments of a function by letter: b boolean, n number, s text, l list, o object, x anything, f a function of one
 * item, g a function of two, r a regular expression or a text; from `?` on they may be left out.
 */
type Shape = string;

const functionNames: Readonly<Record<Kind, readonly (readonly [name: string, shape: Shape])[]>> = {
  boolean: [
    ['contains', 'sr'],
    ['contains', 'sr'],
    ['exists', 'x'],
    ['not', 'x'],
    ['boolean', 'x'],
    ['amountClose', 'nnn?n'],
  ],
  number: [
    ['abs', '?n'],
    ['abs', '?n'],
    ['number', '?s'],
    ['length', '?s'],
    ['count', 'l'],
    ['sum', 'l'],
    ['max', 'l'],
    ['min', 'l'],
    ['average', 'l'],
    ['floor', '?n'],
    ['ceil', '?n'],
    ['round', 'n?n'],
    ['sqrt', 'n'],
    ['power', 'nn'],
    ['toMillis', 's'],
    ['toMillis', 's?p'],
    ['parseInteger', 'si'],
    ['similarity', 'ss'],
    ['levenshtein', 'ss'],
    ['tokenSet', 'ss'],
    ['commonPrefix', 'ss'],
    ['wordOverlap', 'ss'],
    ['wordCosine', 'ss'],
    ['codeOverlap', 'ss'],
    ['amount', 's'],
    ['daysBetween', 'ss'],
    ['businessDaysBetween', 'ss'],
    ['reduce', 'lg'],
  ],
  text: [
    ['lowercase', '?s'],
    ['uppercase', '?s'],
    ['trim', '?s'],
    ['string', '?x'],
    ['string', 'x?b'],
    ['substring', 'sn?n'],
    ['substringBefore', 'ss'],
    ['substringAfter', 'ss'],
    ['pad', 'sn?s'],
    ['join', 'l?s'],
    ['replace', 'srs?n'],
    ['type', 'x'],
    ['formatNumber', 'nc'],
    ['formatBase', 'n?n'],
    ['formatInteger', 'ni'],
    ['fromMillis', 'n?p'],
    ['base64encode', 's'],
    ['base64decode', 's'],
    ['encodeUrlComponent', 's'],
    ['decodeUrlComponent', 's'],
    ['encodeUrl', 's'],
    ['decodeUrl', 's'],
    ['normalize', '?s'],
    ['digits', '?s'],
    ['transliterate', '?s'],
  ],
  list: [
    ['split', 'sr?n'],
    ['match', 'sm?n'],
    ['map', 'lf'],
    ['filter', 'lf'],
    ['sort', 'l?g'],
    ['distinct', 'l'],
    ['reverse', 'l'],
    ['append', 'xx'],
    ['keys', '?x'],
    ['spread', '?x'],
    ['zip', 'll'],
    ['each', 'of'],
  ],
  object: [
    ['merge', 'l'],
    ['sift', 'of'],
    ['clone', '?o'],
  ],
  any: [
    ['lookup', 'xs'],
    ['single', 'lf'],
    ['error', '?s'],
    ['assert', 'b?s'],
    ['map', 'lf'],
    ['reduce', 'lg?x'],
    ['sum', 'l'],
  ],
};

export const regexPatterns = [
  '/o/',
  '/[0-9]+/',
  '/^inv-(\\d+)$/i',
  '/\\s+/',
  '/a|b/',
  '/(f)(o*)/',
  '/\\bbar\\b/',
  '/^$/m',
  '/[^a-z]/',
  '/\\w{2,3}/',
  '/(a)?b/',
  '/./',
  '/é/i',
  '/x*/',
];
const datePictures = [
  '[Y0001]-[M01]-[D01]',
  '[D]/[M]/[Y]',
  '[H01]:[m01]',
  '[FNn], [D1o] [MNn] [Y]',
  '[Y0001][M01][D01]',
  'x',
  '[Q]',
  '[Y',
  '',
];
const numberPictures = ['#,##0.00', '0', '00.0', '#0%', '0.0e0', '#;(#)', 'abc', '', '0.#.0'];
const integerPictures = ['0', '001', 'w', 'Ww', 'I', 'i', 'A', 'a', '#,##0', '1;o', '*'];

/** Makes a sub-expression. */
export type Make = (place: Place, kind: Kind) => Term;

export function callTerm(place: Place, kind: Kind, make: Make): Term {
  const { random } = place;
  const [name, shape] = random.pick(functionNames[kind]);
  return term`$${name}(${argumentList(place, shape, make)})`;
}

function argumentList(place: Place, shape: Shape, make: Make): Term[] {
  const { random } = place;
  const [needed = '', optional = ''] = shape.split('?');
  const letters = [...needed, ...[...optional].slice(0, random.below(optional.length + 1))];
  const given = random.chance(0.03) ? letters.slice(1) : letters;
  return given.map((letter) => argument(place, letter, make));
}

function argument(place: Place, letter: string, make: Make): Term {
  const { random } = place;
  switch (letter) {
    case 'b':
      return make(place, 'boolean');
    case 'n':
      return make(place, 'number');
    case 's':
      return make(place, 'text');
    case 'l':
      return make(place, 'list');
    case 'o':
      return make(place, 'object');
    case 'r':
      return place.regexes && random.chance(0.5) ? text(random.pick(regexPatterns)) : make(place, 'text');
    case 'm':
      return place.regexes ? text(random.pick(regexPatterns)) : make(place, 'text');
    case 'p':
      return text(JSON.stringify(random.pick(datePictures)));
    case 'c':
      return text(JSON.stringify(random.pick(numberPictures)));
    case 'i':
      return text(JSON.stringify(random.pick(integerPictures)));
    case 'f':
      return functionTerm(
        place,
        ['i', 'j', 'k'].slice(0, 1 + random.below(3)),
        ['string', 'number', 'boolean', 'count', 'uppercase', 'type'],
        make,
      );
    case 'g':
      return functionTerm(place, ['i', 'j'], ['append', 'max', 'power'], make);
    default:
      return make(place, 'any');
  }
}

function functionTerm(place: Place, parameters: readonly string[], named: readonly string[], make: Make): Term {
  const { random } = place;
  if (random.chance(0.15)) return text(`$${random.pick(named)}`);
  if (random.chance(0.05)) return term`(${make(place, 'any')}; ${text(`$${random.pick(named)}`)})`;
  if (place.regexes && random.chance(0.1)) return text(random.pick(regexPatterns));
  const body = make({ ...place, variables: [...place.variables, ...parameters] }, 'any');
  return term`function(${parameters.map((parameter) => text(`$${parameter}`))}){${body}}`;
}
