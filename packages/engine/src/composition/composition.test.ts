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

test.each(cases)('$theme: $name', ({ name: _, expect: expected, ...composition }) => {
  const { params, jsonataExpr } = composition;
  const isBatch = params.matchers !== undefined;
  const definition: RuleSetDefinition = {
    engine: isBatch ? 'jsonata-batch' : 'jsonata',
    jsonataExpr: jsonataExpr ?? (isBatch ? null : 'true'),
    version: 1,
    params: { Tmatch: 0.8, Tpossible: 0.5, ...params },
  };
  expect(validateRuleSet(definition)).toEqual([]);
  expect(compose(composition)).toMatchObject(expected);
});

test.each(cases)('$theme: $name, in any order of arrival and of work', ({ name: _, expect: __, ...composition }) => {
  const { left, right } = composition;
  const turned = { ...composition, left: [...left].reverse(), right: [...right].reverse() };
  expect(compose(turned, { reversed: true })).toEqual(compose(composition));
});
