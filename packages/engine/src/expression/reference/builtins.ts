import createSync from '../../../generated/jsonata-sync';
import { bounds } from '../bounds';

/** A function of jsonata's environment. */
export interface Builtin {
  /** Called with jsonata's focus as `this`: `{environment, input, options, createSequence}`. */
  implementation: (this: unknown, ...args: never[]) => unknown;
  /** Gives the arguments as the function takes them, or throws T0410, T0411 or T0412. */
  signature?: { validate(args: readonly unknown[], context: unknown): unknown[] };
}

interface Frame {
  lookup(name: string): Builtin | undefined;
}

const names = [
  'sum', 'count', 'max', 'min', 'average', 'string', 'substring', 'substringBefore', 'substringAfter', 'lowercase', 'uppercase',
  'length', 'trim', 'pad', 'match', 'contains', 'replace', 'split', 'join', 'formatNumber', 'formatBase', 'formatInteger',
  'parseInteger', 'number', 'floor', 'ceil', 'round', 'abs', 'sqrt', 'power', 'random', 'boolean', 'not', 'map', 'zip', 'filter',
  'single', 'reduce', 'sift', 'keys', 'lookup', 'append', 'exists', 'spread', 'merge', 'reverse', 'each', 'error', 'assert', 'type',
  'sort', 'shuffle', 'distinct', 'base64encode', 'base64decode', 'encodeUrlComponent', 'encodeUrl', 'decodeUrlComponent',
  'decodeUrl', 'toMillis', 'fromMillis', 'clone',
] as const;

/**
 * jsonata's own functions, synchronous and within bounds, by name, with ours. `$eval`, which is refused, and `$now` and
 * `$millis`, which belong to one evaluation, are left out.
 */
export function builtins(): ReadonlyMap<string, Builtin> {
  const found = new Map<string, Builtin>();
  const expression = createSync(bounds)('$collect()');
  expression.registerFunction('collect', function collect(this: { environment: Frame }) {
    for (const name of names) {
      const builtin = this.environment.lookup(name);
      if (builtin !== undefined) found.set(name, builtin);
    }
  });
  expression.evaluate(undefined);
  return found;
}
