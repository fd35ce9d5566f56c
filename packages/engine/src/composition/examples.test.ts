import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { amountToNumber } from '../values/decimal';
import { effectiveParams } from '../definition/defaults';
import type { CompositionParams } from '../definition/types';
import type { JsonObject, Side } from '../values/types';
import { compileEnabled, proposeAll } from '../../fuzz/composition/compose';
import { poolOf } from './pool-of';
import { maxCandidates, maxOtherSets, nodeBudget } from './limits';
import { settle } from './settle';
import type { CompositionPool, CompositionSide, Proposal, Taken } from './types';

/** One example of docs/reference/composition.md. */
interface Example {
  composition: string;
  left: string;
  right: string;
  gives: string;
}

interface Row {
  record: JsonObject;
  /** In a MATCH of a pair. */
  matched: boolean;
}

const page = readFileSync(join(__dirname, '../../../../docs/reference/composition.md'), 'utf8');

const listed = /^- `(\{.*\})`, left `(.*?)`, right `(.*?)`: (.+)$/gm;

const examples = [...page.matchAll(listed)].map(([, composition = '', left = '', right = '', gives = '']): Example => {
  return { composition, left, right, gives: gives.replaceAll('`', '') };
});

/** `60 2025-03-10 bill=A matched; 40` */
function rowsOf(text: string): Row[] {
  return text.split('; ').map((row) => {
    const record: JsonObject = {};
    for (const word of row.split(' ')) {
      const [key, value] = word.split('=');
      if (value !== undefined) write(record, (key as string).split('.'), value);
      else if (word.includes('-', 1)) record['date'] = word;
      else if (word !== 'matched') record['amount'] = word;
    }
    return { record, matched: row.endsWith(' matched') };
  });
}

function write(record: JsonObject, [first = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) record[first] = value;
  else write((record[first] ??= {}) as JsonObject, rest, value);
}

/** Composes the rows and writes the result as the page does. */
function composed(params: CompositionParams, rows: Record<Side, readonly Row[]>): string {
  const matchers = [{ id: 'ref', expr: '$contains(left.text, right.no)' }];
  const composition = compileEnabled({ composition: params, ...(params.evidence ? { matchers } : {}) });
  if (composition === null) return 'nothing';
  const records = (side: Side): JsonObject[] => rows[side].map(({ record }) => record);
  const pool = poolOf(composition, { left: records('left'), right: records('right') });
  const marks = (side: Side): Uint8Array =>
    Uint8Array.from(rows[side], ({ matched }) => (matched && composition.skipAlreadyMatched ? 1 : 0));
  const taken: Taken = { left: marks('left'), right: marks('right') };
  const composer = composition.open(pool);
  const composites = settle(composer, proposeAll(composition, composer, pool, taken), taken);
  return composites.length === 0 ? 'nothing' : composites.map((composite) => written(composite, pool)).join(', ');
}

function written(
  { direction, target, members, status, decision, score, explanation }: Proposal,
  pool: CompositionPool,
): string {
  const [one, many] = direction === 'one_to_many' ? [pool.left, pool.right] : [pool.right, pool.left];
  const amount = (side: CompositionSide, row: number): number =>
    amountToNumber(side.units[row] as number, pool.amountScale);
  const sum = members
    .map((row) => amount(many, row))
    .join(' + ')
    .replaceAll('+ -', '- ');
  const tie = explanation['ambiguous'] === true ? ` (${String(explanation['otherSets'])} as good)` : '';
  return `${amount(one, target)} = ${sum}: ${status} ${decision} ${Number(score.toFixed(4))}${tie}`;
}

test.each(examples)(
  'the page is right about $composition with $left and $right',
  ({ composition, left, right, gives }) => {
    expect(composed(JSON.parse(composition) as CompositionParams, { left: rowsOf(left), right: rowsOf(right) })).toBe(
      gives,
    );
  },
);

test('the page names the limits of the search', () => {
  expect(page).toContain(
    `${nodeBudget.toLocaleString('en')} steps and looks at ${maxCandidates.toLocaleString('en')} records`,
  );
  expect(page).toContain(`up to ${maxOtherSets}.`);
});

/** Keys of composition and of its parts, by where the page has to explain them. */
const keys = Object.keys({
  enabled: 0,
  direction: 0,
  maxGroupSize: 0,
  amountField: 0,
  amountTolerancePercent: 0,
  amountTolerance: 0,
  groupByField: 0,
  matchKeys: 0,
  evidence: 0,
  preferCompleteGroup: 0,
  dateStrategy: 0,
  dateFieldLeft: 0,
  dateFieldRight: 0,
  dateToleranceDays: 0,
  allowNegativeAmounts: 0,
  skipAlreadyMatched: 0,
  partial: 0,
  installmentDiscovery: 0,
} satisfies Record<keyof CompositionParams, 0>);

test.each(keys)('the page has a section for %s, with examples', (key) => {
  const section = page.split('\n### ').find((text) => text.split('\n')[0]?.split(', ').includes(key));
  expect(section).toMatch(listed);
});

test.each(['matchers', 'required', 'weight'])('the page lists the key %s of evidence', (part) => {
  expect(page).toContain(`\n- \`${part}\`:`);
});

test.each(['partial', 'installmentDiscovery'] as const)('the page lists every key of %s', (key) => {
  const { composition } = effectiveParams({
    engine: 'jsonata',
    jsonataExpr: 'true',
    params: { Tmatch: 1, Tpossible: 1 },
    version: 1,
  });
  const optional = key === 'partial' ? [] : ['totalCountField', 'unitValueField'];
  for (const part of [...Object.keys(composition[key]), ...optional]) expect(page).toContain(`\n- \`${part}\`:`);
});
