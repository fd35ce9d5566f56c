import { defaultTimezone } from '../../definition/keys';
import createSync from '../../../generated/jsonata-sync';
import type { Expression } from '../../../generated/jsonata-sync';
import { bounds } from './jsonata-bounds';
import { customFunctions, functionsIn } from '../functions';

/** A function of jsonata's environment. */
export interface Builtin {
  /** jsonata calls it with its focus as `this`: `{environment, input, options, createSequence}`. */
  implementation: (this: unknown, ...args: never[]) => unknown;
  /** Gives the arguments as the function takes them, or throws T0410, T0411 or T0412. */
  signature?: { definition: string; validate(args: readonly unknown[], context: unknown): unknown[] };
}

interface Frame {
  lookup(name: string): Builtin | undefined;
}

const names = [
  'sum',
  'count',
  'max',
  'min',
  'average',
  'string',
  'substring',
  'substringBefore',
  'substringAfter',
  'lowercase',
  'uppercase',
  'length',
  'trim',
  'pad',
  'match',
  'contains',
  'replace',
  'split',
  'join',
  'formatNumber',
  'formatBase',
  'formatInteger',
  'parseInteger',
  'number',
  'floor',
  'ceil',
  'round',
  'abs',
  'sqrt',
  'power',
  'random',
  'boolean',
  'not',
  'map',
  'zip',
  'filter',
  'single',
  'reduce',
  'sift',
  'keys',
  'lookup',
  'append',
  'exists',
  'spread',
  'merge',
  'reverse',
  'each',
  'error',
  'assert',
  'type',
  'sort',
  'shuffle',
  'distinct',
  'base64encode',
  'base64decode',
  'encodeUrlComponent',
  'encodeUrl',
  'decodeUrlComponent',
  'decodeUrl',
  'toMillis',
  'fromMillis',
  'clone',
] as const;

/** Gives an expression the functions that are ours, those of days in a time zone too. */
export function registerFunctions(expression: Expression, timezone: string): void {
  for (const { name, implementation, signature } of [...customFunctions, ...functionsIn(timezone)])
    expression.registerFunction(name, implementation, signature);
}

let known: ReadonlyMap<string, Builtin> | undefined;

/**
 * jsonata's own functions, synchronous and within bounds, and ours, by name. `$eval`, which is refused, and `$now` and
 * `$millis`, which belong to one evaluation, are left out.
 */
export function builtins(): ReadonlyMap<string, Builtin> {
  known ??= collect();
  return known;
}

/** jsonata exposes its environment only to registered functions. */
function collect(): ReadonlyMap<string, Builtin> {
  const found = new Map<string, Builtin>();
  const expression = createSync(bounds)('$collect()');
  registerFunctions(expression, defaultTimezone);
  expression.registerFunction('collect', function collector(this: { environment: Frame }) {
    for (const name of [...names, ...customFunctions.map((custom) => custom.name)]) {
      const builtin = this.environment.lookup(name);
      if (builtin !== undefined) found.set(name, builtin);
    }
  });
  expression.evaluate(undefined);
  return found;
}
