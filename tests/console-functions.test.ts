import { functionNames } from '../apps/console/src/screens/rules/functions';
import { builtins } from '../packages/engine/src/expression/reference';

test('the rules screen knows every function of expressions, and no other', () => {
  const service = [...builtins().keys()].filter((name) => !name.includes(' ')).map((name) => `$${name}`);
  expect([...functionNames].sort()).toEqual([...service, '$rarity', '$remaining'].sort());
});
