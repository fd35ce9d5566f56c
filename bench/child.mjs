import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { peakMiB } from './memory.mjs';

/**
 * Starts one of bench/children in its own process, so that neither heap nor optimised code nor peak memory of one
 * measurement is another's.
 *
 * @param {string} name @param {{ heapMb: number }} options
 */
export function startChild(name, { heapMb }) {
  const file = fileURLToPath(new URL(`children/${name}.mjs`, import.meta.url));
  const child = fork(file, [], {
    execArgv: [`--max-old-space-size=${heapMb}`, '--expose-gc'],
    serialization: 'advanced',
  });
  let waiting = null;
  const settle = (act) => {
    const call = waiting;
    waiting = null;
    if (call) act(call);
  };
  child.on('message', ({ value, error }) =>
    settle(({ resolve, reject }) => (error ? reject(new Error(`${name}: ${error}`)) : resolve(value))),
  );
  child.on('exit', (code, signal) =>
    settle(({ reject }) => reject(new Error(`${name} ended ${signal ? `by ${signal}` : `with code ${code}`}`))),
  );
  child.on('error', (error) => settle(({ reject }) => reject(error)));
  return {
    /** One call at a time. */
    call: (method, argument) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        child.send({ method, argument }, (error) => error && settle(() => reject(error)));
      }),
    peakMiB: () => peakMiB(child.pid),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

/** The child's side: answers calls by method name until the parent goes away. */
export function serveParent(methods) {
  // Ctrl-C reaches the whole process group; the parent decides when this process ends.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ method, argument }) => {
    try {
      process.send({ value: await methods[method](argument) });
    } catch (error) {
      process.send({ error: error.stack ?? String(error) });
    }
  });
}
