import { execFileSync } from 'node:child_process';
import { runCommand } from '../../testing/run';

const words = async (...line: string[]): Promise<string[]> =>
  (await runCommand('__complete', ...line)).out
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => one.split('\t')[0] ?? '');

test.each<[string, string[], string[]]>([
  ['a command', ['comp'], ['compare', 'completion']],
  ['a command of a command', ['rules', 'p'], ['pull', 'push', 'preview']],
  ['an option', ['compare', 'a.csv', '--le'], ['--left-read']],
  ['a value of an option', ['compare', 'a.csv', 'b.csv', '--format', ''], ['table', 'csv', 'xlsx', 'json']],
  ['a value of a command', ['completion', 'f'], ['fish']],
  ['nothing where a file belongs', ['compare', '--rules', ''], []],
])('%s is completed', async (_what, line, found) => {
  expect(await words(...line)).toEqual(found);
});

test('bash understands its script', async () => {
  const { out } = await runCommand('completion', 'bash');
  const test = `${out}
    tieout() { printf 'compare\\ttext of it\\ncompletion\\ttext\\n'; }
    COMP_WORDS=(tieout compl) COMP_CWORD=1; _tieout; printf '%s ' "\${COMPREPLY[@]}"`;
  expect(execFileSync('bash', ['-c', test], { encoding: 'utf8' })).toBe('completion ');
});
