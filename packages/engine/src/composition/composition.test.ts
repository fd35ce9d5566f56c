import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuleSetDefinition } from '../definition/types';
import { validateRuleSet } from '../rule-set/validate';
import { compose } from '../../fuzz/composition/compose';
import type { Composition, LabelledComposite } from '../../fuzz/composition/compose';

interface Case extends Composition {
  name: string;
  expect: Partial<LabelledComposite>[];
}

const directory = join(__dirname, '..', '..', 'test-cases', 'composition');
const cases = readdirSync(directory)
  .sort()
  .flatMap((file) =>
    (JSON.parse(readFileSync(join(directory, file), 'utf8')) as Case[]).map((one) => ({
      ...one,
      theme: file.replace('.json', ''),
    })),
  );

test.each(cases)('$theme: $name', ({ params, left, right, matched, expect: expected }) => {
  const isBatch = params.matchers !== undefined;
  const definition: RuleSetDefinition = {
    engine: isBatch ? 'jsonata-batch' : 'jsonata',
    jsonataExpr: isBatch ? null : 'true',
    version: 1,
    params: { Tmatch: 0.8, Tpossible: 0.5, ...params },
  };
  expect(validateRuleSet(definition)).toEqual([]);
  const composites = compose({ params, left, right, ...(matched === undefined ? {} : { matched }) });
  expect(composites).toMatchObject(expected);
});

test.each(cases)('$theme: $name, in any order of arrival and of work', ({ params, left, right, matched }) => {
  const composition = { params, left, right, ...(matched === undefined ? {} : { matched }) };
  const turned = { ...composition, left: [...left].reverse(), right: [...right].reverse() };
  expect(compose(turned, { reversed: true })).toEqual(compose(composition));
});
