import v8 from 'node:v8';
import vm from 'node:vm';

/** Runs the garbage collector. What the present iteration of the event loop still holds is collected by a later run. */
export function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  (vm.runInNewContext('gc') as () => void)();
}
