import { defaultTimezone } from '../../definition/keys';
import createAsync from '../../../generated/jsonata-async';
import createSync from '../../../generated/jsonata-sync';
import type { Expression as Runner, Jsonata } from '../../../generated/jsonata-sync';
import type { MaybePromise } from '../../values/types';
import { bounds } from './jsonata-bounds';
import { balanceChain } from './chains';
import { exhaust, isOutOfSteps, mayTakeLong, refuel, resetTime } from '../limits/meter';
import { cloneData } from '../plain';
import { LinearRegexEngine, linearOf } from '../regex';
import { walk } from '../syntax';
import { isStackOverflow } from '../error';
import type { SyntaxNode } from '../syntax';
import type { ExpressionLimits } from '../types';
import { nameIn } from '../functions';
import { readSnapshotValues } from '../snapshot-values';
import { registerFunctions } from './builtins';
import { writesInput } from './input-writes';

/** An expression that jsonata itself evaluates. */
export interface Reference {
  /** The syntax tree with long chains balanced. This tree is evaluated: do not change it. */
  readonly tree: SyntaxNode;
  /** Returns jsonata's result, not yet plain data. Throws what jsonata throws. Does not change the input. */
  readonly evaluate: (input: unknown) => MaybePromise<unknown>;
  /** The same with what compiled code, which has given up, has left of the steps and the time of the evaluation. */
  readonly takeOver: (input: unknown) => MaybePromise<unknown>;
}

const syncJsonata = createSync(bounds);
const asyncJsonata = createAsync(bounds);

/**
 * Parses an expression for jsonata. It runs synchronously; where that exhausts the native stack, jsonata's
 * asynchronous form, which needs less of it, evaluates again, in the time and steps that are left, and decides.
 * Throws what jsonata throws for a syntax error, and an ExpressionError, `regex_not_linear`, for a regular expression
 * without a time bound.
 */
export function createReference(source: string, limits: ExpressionLimits, timezone = defaultTimezone): Reference {
  const { runner, tree } = prepare(syncJsonata, source, limits, timezone);
  const writes = writesInput(tree);
  let patient: Runner | undefined;
  const evaluateAgain = (input: unknown): unknown => {
    patient ??= prepare(asyncJsonata, source, limits, timezone).runner;
    return patient.evaluate(input);
  };
  const takeOver = (input: unknown): MaybePromise<unknown> => {
    // jsonata adds an item to an empty array when it constructs an object over it, at the root over the input or its
    // items.
    const given = (): unknown => (writes || Array.isArray(input) ? cloneData(input) : input);
    mayTakeLong();
    resetTime();
    try {
      return runner.evaluate(given());
    } catch (error) {
      if (!isStackOverflow(error)) throw metered(error);
    }
    const again = evaluateAgain(given());
    return again instanceof Promise
      ? again.catch((error: unknown) => {
          throw metered(error);
        })
      : again;
  };
  return {
    tree,
    evaluate: (input) => {
      refuel(limits.sequenceLength);
      return takeOver(input);
    },
    takeOver,
  };
}

/** An evaluation that reached its time limit has used up its steps too. */
function metered(error: unknown): unknown {
  if (isOutOfSteps(error)) exhaust();
  return error;
}

/**
 * Parses, gives functions of days their time zone, balances the chains of the tree and allows for its own depth:
 * members of a constructor run side by side and count together, and the tree itself must not exhaust the guard of the
 * stack.
 */
function prepare(
  jsonata: Jsonata,
  source: string,
  limits: ExpressionLimits,
  timezone: string,
): { runner: Runner; tree: SyntaxNode } {
  const options = {
    timeout: limits.timeoutMs,
    stack: limits.stackDepth,
    sequence: limits.sequenceLength,
    RegexEngine: LinearRegexEngine,
  };
  const runner = jsonata(source, options);
  // The declaration of the tree is ours: jsonata's leaves out most of its fields.
  const tree = runner.ast() as SyntaxNode;
  readSnapshotValues(tree);
  const regexes: SyntaxNode[] = [];
  walk(tree, ({ node }) => {
    balanceChain(node);
    options.stack++;
    if (node.type === 'regex') regexes.push(node);
    if (node.type === 'variable') node.value = nameIn(String(node.value), timezone);
  });
  for (const { value, position } of regexes) if (value instanceof RegExp) linearOf(value, position);
  registerFunctions(runner, timezone);
  return { runner, tree };
}
