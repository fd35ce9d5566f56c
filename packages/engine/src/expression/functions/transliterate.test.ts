import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { transliterated } from './transliterate';

test.each([
  ['Zhukov', 'Zhukov'],
  ['Жуков', 'Zhukov'],
])('%s is %s in Latin letters', (text, latin) => {
  expect(transliterated(text)).toBe(latin);
});

test('the tables of all scripts are loaded on first use', () => {
  const built = path.resolve(__dirname, '../../../dist/expression/functions/transliterate.js');
  // The code runs in a separate process, because test files of a worker share modules.
  const script = `
    const { transliterated } = require(${JSON.stringify(built)});
    const isLoaded = () => Object.keys(require.cache).some((file) => file.includes('/node_modules/transliteration/'));
    const seen = ['Zhukov', 'Жуков'].map((text) => [transliterated(text), isLoaded()]);
    console.log(JSON.stringify(seen));`;
  expect(JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))).toEqual([
    ['Zhukov', false],
    ['Zhukov', true],
  ]);
});
