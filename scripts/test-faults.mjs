import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { install } from './lib/install.mjs';
import { runMain } from '../tools/main.mjs';
import { inRoot, root } from '../tools/paths.mjs';

await runMain(async () => {
  await install(console.log);
  await build(console.log);
  const child = spawn(
    process.execPath,
    ['--require', 'esbuild-register', inRoot('tests', 'faults', 'main.ts'), ...process.argv.slice(2)],
    { cwd: root, stdio: 'inherit' },
  );
  // Ctrl-C of a terminal reaches both; a signal to this process alone is passed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve, reject) =>
    child.on('error', reject).on('exit', (code) => resolve(code ?? 1)),
  );
});
