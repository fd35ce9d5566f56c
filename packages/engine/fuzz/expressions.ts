import { callTerm, regexPatterns } from './calls';
import type { Random } from './random';
import { pickField, pickNumber, pickText } from './records';
import { sequenceTerm } from './sequences';
import { term, text } from './term';
import type { Term } from './term';

/** `pair`: the input is `{left, right}`; `record`: one record. */
export type Mode = 'pair' | 'record';

/** The kind of value that the surrounding expression asks for; it does not always get it. */
export type Kind = 'boolean' | 'number' | 'text' | 'list' | 'object' | 'any';

/** The position of an expression. */
export interface Place {
  readonly random: Random;
  readonly mode: Mode;
  /** Levels that may still follow. */
  readonly room: number;
  readonly variables: readonly string[];
  /** Inside a path or predicate, where names mean keys of the current item. */
  readonly inside: boolean;
  /** False in the left operand of `?:` and `??`: jsonata copies it without regular expressions, and may never end. */
  readonly regexes: boolean;
}

const wrongKind = 0.08;
const allKinds: readonly Kind[] = ['boolean', 'number', 'text', 'list', 'object', 'any'];

/** A random expression: most look like matchers, some like nothing anybody would write. */
export function randomExpression(random: Random, mode: Mode): Term {
  const kind = random.weighted<Kind>([
    [5, 'boolean'],
    [2, 'number'],
    [1, 'text'],
    [1, 'list'],
    [1, 'object'],
    [1, 'any'],
  ]);
  const place: Place = { random, mode, room: 1 + random.below(4), variables: [], inside: false, regexes: true };
  return random.chance(0.1) ? sequenceTerm(place, expression) : expression(place, kind);
}

export function expression(place: Place, wanted: Kind): Term {
  const { random, room } = place;
  const kind = random.chance(wrongKind) ? random.pick(allKinds) : wanted;
  if (room <= 0 || random.chance(0.15)) return leaf(place, kind);
  const inner = { ...place, room: room - 1 };
  return random.weighted<() => Term>([
    [5, () => ofKind(inner, kind)],
    [3, () => callTerm(inner, kind, expression)],
    [2, () => pathTerm(inner)],
    [1, () => structure(inner, kind)],
    [0.7, () => sequenceTerm(inner, expression)],
  ])();
}

function leaf(place: Place, kind: Kind): Term {
  const { random, variables } = place;
  if (variables.length > 0 && random.chance(0.35)) return text(`$${random.pick(variables)}`);
  if (kind === 'list' && random.chance(0.3))
    return text(random.pick(['[]', '[1..3]', '[1, 2, 3]', '["b", "a"]', '[[1], 2]', '[null]']));
  if (kind === 'object' && random.chance(0.5)) return text(random.pick(['{}', '{"a": 1}', '{"a": null, "b": [1]}']));
  if (random.chance(0.55)) return simplePath(place);
  return literal(random, kind);
}

function literal(random: Random, kind: Kind): Term {
  if (kind === 'number') return text(numberText(pickNumber(random)));
  if (kind === 'text') return text(JSON.stringify(pickText(random)));
  if (kind === 'boolean') return text(random.pick(['true', 'false']));
  return text(
    random.pick([
      'null',
      '0',
      '1',
      '""',
      '"foo"',
      'true',
      '"2024-03-05"',
      '[]',
      '-1',
      '2.5',
      'nothing',
      '$',
      '$$',
      '$nothing',
    ]),
  );
}

function numberText(value: number): string {
  return JSON.stringify(Math.abs(value) > 1e300 ? 7 : value);
}

function name(random: Random): string {
  const field = pickField(random);
  return /^[a-z]+$/i.test(field) && !random.chance(0.03) ? field : `\`${field}\``;
}

function simplePath(place: Place): Term {
  const { random } = place;
  const start =
    place.inside || place.mode === 'record'
      ? name(random)
      : random.weighted<string>([
          [20, `left.${name(random)}`],
          [20, `right.${name(random)}`],
          [1, 'left'],
          [1, `$$.left.${name(random)}`],
          [1, `$.right.${name(random)}`],
          [1, `(left).${name(random)}`],
          [1, `*.${name(random)}`],
          [1, `**.${name(random)}`],
        ]);
  const rest = random.chance(0.12) ? `.${name(random)}` : '';
  return text(start + rest);
}

function ofKind(place: Place, kind: Kind): Term {
  switch (kind) {
    case 'boolean':
      return booleanTerm(place);
    case 'number':
      return numberTerm(place);
    case 'text':
      return term`(${expression(place, 'text')} & ${expression(place, place.random.chance(0.7) ? 'text' : 'any')})`;
    case 'list':
      return listTerm(place);
    case 'object':
      return objectTerm(place);
    case 'any':
      return ofKind(place, place.random.pick(['boolean', 'number', 'text', 'list', 'object']));
  }
}

function booleanTerm(place: Place): Term {
  const { random } = place;
  const same = random.pick<Kind>(['number', 'number', 'text', 'text', 'any']);
  return random.weighted<() => Term>([
    [5, () => term`(${expression(place, same)} ${random.pick(['=', '!='])} ${expression(place, same)})`],
    [4, () => term`(${expression(place, same)} ${random.pick(['<', '<=', '>', '>='])} ${expression(place, same)})`],
    [4, () => term`(${expression(place, 'boolean')} ${random.pick(['and', 'or'])} ${expression(place, 'boolean')})`],
    [1, () => term`(${expression(place, 'any')} in ${expression(place, 'list')})`],
  ])();
}

function numberTerm(place: Place): Term {
  const { random } = place;
  if (random.chance(0.12)) return term`-${leaf(place, 'number')}`;
  const left = expression(place, 'number');
  const operator = random.pick(['+', '-', '*', '/', '%']);
  return term`(${left} ${operator} ${expression(place, 'number')})`;
}

function listTerm(place: Place): Term {
  const { random } = place;
  return random.weighted<() => Term>([
    [4, () => term`[${random.list(0, 4, () => expression(place, 'any'))}]`],
    [
      1,
      () =>
        term`[${random.list(1, 2, () => {
          const start = text(String(random.below(4)));
          return term`${start}..${expression({ ...place, room: 0 }, 'number')}`;
        })}]`,
    ],
    [1, () => term`[1..$count(${expression(place, 'list')})]`],
    [2, () => pathTerm(place)],
  ])();
}

function objectTerm(place: Place): Term {
  const { random } = place;
  return term`{${random.list(0, 3, (index) => memberTerm(place, index))}}`;
}

function memberTerm(place: Place, index: number): Term {
  const { random } = place;
  const key = random.chance(0.85)
    ? text(JSON.stringify(random.chance(0.8) ? `k${index}` : pickField(random)))
    : expression({ ...place, room: 0 }, 'text');
  return term`${key}: ${expression(place, 'any')}`;
}

/** A path whose steps are anything that may be a step. */
function pathTerm(place: Place): Term {
  const { random } = place;
  const steps = random.list(1, 3, () => stepTerm({ ...place, inside: true }));
  const start = random.weighted<() => Term>([
    [15, () => simplePath(place)],
    [4, () => parenthesised(expression(place, 'list'))],
    [
      1,
      () => parenthesised(term`[${random.list(1, 2, () => simplePath(place))}]${stepTerm({ ...place, inside: true })}`),
    ],
  ])();
  const path: Term = { parts: [start, predicate(place), ...steps, random.chance(0.06) ? '[]' : ''] };
  return random.chance(0.06) ? term`${path}{${memberTerm({ ...place, inside: true }, 0)}}` : path;
}

function parenthesised(inner: Term): Term {
  return term`(${inner})`;
}

function stepTerm(place: Place): Term {
  const { random } = place;
  return random.weighted<() => Term>([
    [8, () => term`.${name(random)}${predicate(place)}`],
    [2, () => predicate(place)],
    [1, () => text(random.pick(['.*', '.**', '.$']))],
    [1, () => term`.(${expression(place, 'any')})`],
    [1, () => term`.${objectTerm(place)}`],
    [1, () => term`.[${random.list(1, 2, () => expression(place, 'any'))}]`],
    [
      1,
      () => term`^(${random.pick(['', '<', '>'])}${expression({ ...place, room: Math.min(place.room, 1) }, 'number')})`,
    ],
    [1, () => term`.${callTerm(place, 'any', expression)}`],
    [0.4, () => tupleStep(place)],
    [0.3, () => text(`.${name(random)}.%.${name(random)}`)],
  ])();
}

/** `@` and `#` bind variables for the steps behind them. */
function tupleStep(place: Place): Term {
  const { random } = place;
  const variables = [...place.variables, 't'];
  const bound = text(`.${name(random)}${random.pick(['#', '@'])}$t`);
  return term`${bound}.(${expression({ ...place, variables }, 'any')})`;
}

function predicate(place: Place): Term {
  const { random } = place;
  const inner = { ...place, inside: true, room: Math.min(place.room, 2) };
  return random.weighted<() => Term>([
    [12, () => text('')],
    [2, () => text(`[${random.pick(['0', '1', '-1', '$', 'true', '0.5', '[0, 1]', '-9', '[]'])}]`)],
    [2, () => term`[${booleanTerm(inner)}]`],
    [1, () => term`[${expression(inner, 'number')}]`],
  ])();
}

/** Conditions, blocks with variables, lambdas, chains and the rarer kinds of nodes. */
function structure(place: Place, kind: Kind): Term {
  const { random } = place;
  const again = (): Term => expression(place, kind);
  return random.weighted<() => Term>([
    [5, () => term`(${expression(place, 'boolean')} ? ${again()} : ${again()})`],
    [1, () => term`(${expression(place, 'boolean')} ? ${again()})`],
    [1, () => term`(${expression({ ...place, regexes: false }, kind)} ${random.pick(['?:', '??'])} ${again()})`],
    [5, () => blockTerm(place, kind)],
    [1, () => term`(${again()}; ${again()})`],
    [2, () => term`(${expression(place, 'text')} ~> $${random.pick(pipedFunctions)})`],
    [1, () => lambdaCall(place, kind)],
    [place.regexes ? 0.7 : 0, () => regexCall(place)],
    [0.3, () => recursion(place)],
    [
      0.5,
      () => term`(${expression(place, 'object')} ~> |${random.pick(['$', name(random), '*'])}|${objectTerm(place)}|)`,
    ],
    [0.5, () => term`$${random.pick(['substring(?, 1)', 'contains(?, "o")', 'power(?, 2)'])}(${again()})`],
  ])();
}

/** A regular expression as a function, of any value. */
function regexCall(place: Place): Term {
  const { random } = place;
  const pattern = text(random.pick(regexPatterns));
  const value = expression(place, random.chance(0.5) ? 'text' : 'any');
  return random.chance(0.5)
    ? term`(${value} ~> ${pattern})`
    : term`${pattern}(${value})${text(random.pick(['', '.match', '.start', '.next()']))}`;
}

function blockTerm(place: Place, kind: Kind): Term {
  const { random } = place;
  const variable = random.pick(['v', 'w', 'sum', 'x']);
  const bound = { ...place, variables: [...place.variables, variable] };
  return term`($${variable} := ${expression(place, 'any')}; ${expression(bound, kind)})`;
}

function lambdaCall(place: Place, kind: Kind): Term {
  const parameters = place.random.chance(0.5) ? ['p'] : ['p', 'q'];
  const body = expression({ ...place, variables: [...place.variables, ...parameters] }, kind);
  const signature = place.random.chance(0.1) ? place.random.pick(['<x:x>', '<n:n>', '<s-:s>', '<a:x>']) : '';
  const variables = parameters.map((parameter) => text(`$${parameter}`));
  const values = place.random.list(0, 2, () => expression(place, 'any'));
  return term`function(${variables})${signature}{${body}}(${values})`;
}

const pipedFunctions = ['uppercase', 'trim', 'length', 'string', 'type', 'substring(1)', 'split(" ")'];

function recursion(place: Place): Term {
  const steps = text(String(place.random.below(12)));
  const start = text(place.random.pick(['$n + ', '', '$string($n) & ']));
  return term`($f := function($n){$n > 0 ? ${start}$f($n - 1) : ${leaf(place, 'any')}}; $f(${steps}))`;
}
