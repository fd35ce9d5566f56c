/**
 * Resolves at the first signal that asks the program to end. The handlers stay: the same signal often arrives twice (from
 * the terminal's group and from npm), and the second one must not cut the clean end short.
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
