import v8 from 'node:v8';
import vm from 'node:vm';

/** Collects what nothing refers to any more. What the present turn of the event loop still holds goes with a later one. */
export function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  (vm.runInNewContext('gc') as () => void)();
}
