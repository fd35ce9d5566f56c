import { regexPatterns } from './calls';
import type { Make } from './calls';
import type { Place } from './expressions';
import { term, text } from './term';
import type { Term } from './term';

const listTemplates = [
  '[1]',
  '[1, 2]',
  '["foo", "x"]',
  '[{"a": 1}]',
  '[{"a": [1]}, {}]',
  '[[1], [{"a": 2}]]',
  '{"a": 1, "b": [2]}',
  '"foo"',
  '[]',
];
const useTemplates = [
  '$u',
  '[$u]',
  '{"k": $u}',
  '$exists($u)',
  '$count($u)',
  '$u.a',
  '$u[0]',
  '$u = 1',
  '$map($u, function($v){$v})',
  '$u ~> $string',
];

/**
 * Makes a term whose value is a sequence: a call whose callback ends with a call, or a term that passes a sequence on.
 */
export function sequenceTerm(place: Place, make: Make): Term {
  let result = sequenceCall(place, make);
  for (let times = 1 + place.random.below(3); times > 0; times--) result = handedOn(place, result, make);
  return result;
}

function sequenceCall(place: Place, make: Make): Term {
  const { random, room } = place;
  const inner = { ...place, room: room - 1 };
  const over = (): Term => (room > 0 && random.chance(0.5) ? sequenceCall(inner, make) : someList(inner, make));
  const call = (name: string, ...parameters: readonly string[]): Term =>
    term`$${name}(${over()}, ${callback(inner, parameters, make)})`;
  return random.weighted<() => Term>([
    [4, () => call('map', 'r')],
    [1, () => call('map', 'r', 's', 't')],
    [2, () => call('filter', 'r')],
    [1, () => call(random.pick(['single', 'sift']), 'r')],
    [1, () => call(random.pick(['reduce', 'sort']), 'r', 's')],
    [
      2,
      () => {
        const items = random.chance(0.5) ? someList(inner, make) : make(inner, 'object');
        return term`$each(${items}, ${callback(inner, ['r', 's'], make)})`;
      },
    ],
    [2, () => term`$${random.pick(['keys', 'spread', 'distinct', 'reverse'])}(${over()})`],
    [1, () => term`$lookup(${over()}, "a")`],
    [1, () => term`$append(${over()}, ${over()})`],
    [place.regexes ? 2 : 0, () => term`$match(${someList(inner, make)}, ${text(random.pick(regexPatterns))})`],
  ])();
}

/** Makes a list, mostly of items from which callbacks make something else. */
function someList(place: Place, make: Make): Term {
  const { random, variables } = place;
  if (variables.length > 0 && random.chance(0.5)) return text(`$${random.pick(variables)}`);
  return random.chance(0.3) ? make(place, random.pick(['list', 'list', 'any'])) : text(random.pick(listTemplates));
}

function callback(place: Place, parameters: readonly string[], make: Make): Term {
  const { random } = place;
  const kind = random.below(10);
  if (kind === 0) return text(`$${random.pick(['keys', 'spread', 'distinct', 'exists', 'string', 'append'])}`);
  if (kind === 1)
    return text(
      random.pick(['$append(?, [])', '$lookup(?, "a")', '$spread(?)', '$keys ~> $count', '$string ~> $keys']),
    );
  const signature = random.chance(0.2)
    ? random.pick(['<x:x>', '<x-:x>', '<n:n>', '<a:x>', '<s-:s>', '<xx?:x>', '<x-x?x?:x>', '<nn:n>'])
    : '';
  const inside = { ...place, variables: [...place.variables, ...parameters] };
  return term`function(${parameters.map((parameter) => text(`$${parameter}`))})${signature}{${tail(inside, make)}}`;
}

/** The last expression of a callback. */
function tail(place: Place, make: Make): Term {
  const { random } = place;
  const call = (): Term => sequenceCall(place, make);
  return random.weighted<() => Term>([
    [5, call],
    [
      2,
      () => {
        const [test, then] = [make(place, 'boolean'), call()];
        const otherwise = random.chance(0.5) ? handedOn(place, call(), make) : make(place, 'any');
        return term`${test} ? ${then} : ${otherwise}`;
      },
    ],
    [1, () => term`(${make(place, 'any')}; ${call()})`],
    [1, () => term`($u := ${callback(place, ['r'], make)}; $u($r))`],
    [1, () => term`function($u){$u($r)}(${callback(place, ['r'], make)})`],
    [1, () => term`function($u){$map([$r], $u)}(${callback(place, ['r'], make)})`],
    [2, () => make(place, 'any')],
  ])();
}

const suffixes = [
  '[0]',
  '[-1]',
  '[$exists($)]',
  '[]',
  '.$',
  '.a',
  '.(a)',
  '.$count($)',
  '{"k": $count($)}',
  '^($)',
  '.*',
];

function handedOn(place: Place, value: Term, make: Make): Term {
  const { random } = place;
  const other = (): Term => make({ ...place, room: 0 }, 'any');
  const use = (): Term =>
    random.chance(0.5)
      ? text(random.pick(useTemplates))
      : make({ ...place, variables: [...place.variables, 'u'] }, 'any');
  return random.weighted<() => Term>([
    [3, () => term`(${value})`],
    [3, () => term`($u := ${value}; ${use()})`],
    [1, () => term`(${make(place, 'boolean')} ? ${value} : ${other()})`],
    [1, () => term`(${other()} ?? ${value})`],
    [1, () => term`function($u){${use()}}(${value})`],
    [1, () => term`(${value} ~> function($u){$u})`],
    [1, () => term`[${value}]`],
    [1, () => term`{"k": ${value}}${text(random.pick(['', '.k', '.k.a', '.(k)', '.*']))}`],
    [1, () => term`(${value})${text(random.pick(suffixes))}`],
    [1, () => term`$${random.pick(['count', 'exists', 'string', 'boolean', 'type', 'distinct', 'keys'])}(${value})`],
    [1, () => term`$map(${value}, function($u){$u})`],
    [1, () => term`(${value} = ${other()})`],
    [1, () => term`[1, 2].(${value})`],
  ])();
}
