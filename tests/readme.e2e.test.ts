import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack, type Stack } from './support/stack';

/** The tutorials go on from the README, in one shell. */
const documents = ['README.md', 'docs/tutorials/first-month.md']
  .map((file) => readFileSync(path.join(__dirname, '..', file), 'utf8'))
  .join('\n');
const blocks = (language: string): string =>
  [...documents.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map((m) => m[1]).join('');
const shellIsThere = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let stack: Stack;
let folder: string;

beforeAll(async () => {
  if (!shellIsThere) return;
  stack = await startStack();
  folder = mkdtempSync(path.join(tmpdir(), 'tieout-readme-'));
  mkdirSync(path.join(folder, '.data'));
  writeFileSync(path.join(folder, '.data', 'platform-key'), stack.platformKey);
});

afterAll(async () => {
  if (!shellIsThere) return;
  rmSync(folder, { recursive: true });
  await stack.close();
});

/** Runs the tour's commands unchanged against the stack and returns their standard output. */
function tour(): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = blocks('sh').replace('http://localhost:3000', stack.url);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`the tour ended with ${code}:\n${output}`)),
    );
  });
}

// A machine without bash and curl has Tieout, but not the tour.
(shellIsThere ? test : test.skip)(
  'the commands of the README’s tour and of the tutorial print what these show',
  async () => {
    expect(await tour()).toBe(blocks('text'));
  },
);
