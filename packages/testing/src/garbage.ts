import v8 from 'node:v8';
import vm from 'node:vm';

/** Collects unreachable objects. Objects that the current tick of the event loop still holds are collected later. */
export function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  (vm.runInNewContext('gc') as () => void)();
}
