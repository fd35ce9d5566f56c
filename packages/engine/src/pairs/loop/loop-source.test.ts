import fc from 'fast-check';
import { mainExpressionId } from '../../scoring/comparison';
import { compileExpression } from '../../expression/compile';
import { writeLoop } from './loop-source';
import type { LoopRules } from './types';
import { planPairs } from '../plan/pair-plan';

function rulesOf(filter: string, matchers: readonly string[], weight: number): LoopRules {
  const named = (id: string, source: string) => ({ id, expression: compileExpression(source) });
  return {
    plan: planPairs({
      filters: [named('filters/0', filter)],
      main: named(mainExpressionId, filter),
      matchers: matchers.map((source, index) => named(`m${index}`, source)),
    }),
    windowDays: weight,
    withinTolerance: () => true,
    scale: 1,
    possibleThreshold: weight,
    weights: matchers.map(() => weight),
    required: matchers.map(() => false),
    order: matchers.map((_, index) => index),
    costs: matchers.map((source) => (source.startsWith('$contains') ? 1 : 0)),
  };
}

const quotedText = /[`\\]/g;

/** A rule set in which a tenant chose every name, text and number. */
function source(name: string, text: string, number: number, kinds: string): string {
  const key = `\`${name.replace(quotedText, '_')}\``;
  const literal = JSON.stringify(text);
  const rules = rulesOf(
    `left.${key} = right.${key} or left.b = ${literal} or right.b = ${number}`,
    [
      `$contains(left.${key} & ${literal}, right.x)`,
      `$abs(left.y - right.z) < ${number}`,
      `left.y > right.z ? ${number} : ${literal}`,
      `($v := left.y - right.z; $v * ${number} - $v)`,
    ],
    number,
  );
  const kindsOf = (columns: readonly unknown[]): string => columns.map(() => kinds).join('');
  return writeLoop(rules, `${kindsOf(rules.plan.columns.left)}|${kindsOf(rules.plan.columns.right)}`).source;
}

test.each(['n', 'o', 't', 'v', 'd'])(
  'nothing that a rule set says becomes source text, over columns of kind %s',
  (kinds) => {
    const plain = source('name', 'text', 0.5, kinds);
    const hostile = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom(
        '__proto__',
        'constructor',
        '\u2028',
        '"];throw 1;//',
        "';process.exit();'",
        '${0}',
        '*/',
        '</script>',
        '\\u0022',
      ),
    );
    const name = hostile.filter((text) => !['b', 'x', 'y', 'z'].includes(text));
    fc.assert(
      fc.property(name, hostile, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (key, text, number) => {
        expect(source(key, text, number, kinds)).toBe(plain);
      }),
    );
  },
);

test.each([
  ['shares', '$abs(left.y - right.z) < 1 ? 0.5 : null'],
  ['true and false', 'left.y < right.z'],
])('the text of a loop grows with its matchers and no faster: %s', (_name, expression) => {
  const lengthOf = (count: number): number => {
    const rules = rulesOf(
      'left.b = right.b',
      Array.from({ length: count }, () => expression),
      0.001,
    );
    return writeLoop(rules, 'nn|nn').source.length;
  };
  expect(lengthOf(400)).toBeLessThan(2.5 * lengthOf(200));
  expect(lengthOf(60)).toBeLessThan(2.5 * lengthOf(30));
});

test.each([
  ['texts cannot fail', 'tn|tn', 'nothing', [2, 3, 1]],
  ['other values can fail, and what follows is not moved before it', 'vn|vn', 'nothing', [1, 2, 3]],
  ['values that had errors can fail, and what is before it stays there', 'td|td', 'nothing', [1, 2, 3]],
  ['a matcher between that always can fail is not passed', 'tn|tn', 'a call', [1, 2, 3]],
])('cheap matchers go first where no decision depends on it: $contains of %s', (_name, kinds, between, expected) => {
  const second = between === 'a call' ? '$levenshtein(left.a, right.a) > 1' : 'left.b < right.b';
  const { source: text } = writeLoop(
    rulesOf('left.b < right.b', ['$contains(left.a, right.a)', second, 'left.b >= right.b'], 0.5),
    swapped(kinds),
  );
  const order = [...text.matchAll(/expression = (\d+)/g)]
    .map(([, expression]) => Number(expression) - 1)
    .filter((matcher) => matcher > 0);
  expect(order).toEqual(expected);
});

/** The filter names b first. */
function swapped(kinds: string): string {
  return kinds
    .split('|')
    .map((side) => `${side.charAt(1)}${side.charAt(0)}`)
    .join('|');
}
