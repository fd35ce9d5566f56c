/**
 * Passes on the first of repeated events and then at most one per `everyMs`: a repeated failure must not fill the log.
 * @param log also gets the number of events since the one it was called with before, this one included
 */
export function throttleLog<T>(
  everyMs: number,
  log: (event: T, times: number) => void,
  nowMs: () => number = () => performance.now(),
): (event: T) => void {
  let times = 0;
  let loggedMs = -Infinity;
  return (event) => {
    times++;
    if (nowMs() - loggedMs < everyMs) return;
    loggedMs = nowMs();
    log(event, times);
    times = 0;
  };
}
