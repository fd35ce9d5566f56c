import fs from 'node:fs';

/** Returns whether a module is the program that was started, also through a link. */
export const isMain = (filename) => process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === filename;

/** Runs a program's main function: an expected failure is one message without a stack, and exit code 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(process.env.DEBUG ? error : error.message);
    process.exitCode = 1;
  }
}

/**
 * Resolves at the first signal that asks the program to end. The handlers stay: the same signal often arrives twice
 * (from the terminal's group and from npm), and the second one must not cut the clean end short.
 *
 * @param {(signal: string) => void} [onRepeat] Called for the signals after the first.
 * @returns {Promise<string>}
 */
export function stopRequested(onRepeat = () => undefined) {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        if (asked) onRepeat(signal);
        asked = true;
        resolve(signal);
      });
    }
  });
}
