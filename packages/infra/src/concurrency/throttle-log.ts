/**
 * Passes on the first of many, and then one each `everyMs` at most: what fails again and again must not fill the log.
 * @param log is told as well how many there have been, this one included, since the one before that it was told of
 */
export function throttleLog<T>(
  everyMs: number,
  log: (what: T, times: number) => void,
  nowMs: () => number = () => performance.now(),
): (what: T) => void {
  let times = 0;
  let toldMs = -Infinity;
  return (what) => {
    times += 1;
    if (nowMs() - toldMs < everyMs) return;
    toldMs = nowMs();
    log(what, times);
    times = 0;
  };
}
