import jsonata from 'jsonata';
import { evaluationError, ExpressionError, parseError } from '../src/expression/error';
import { customFunctions } from '../src/expression/functions';
import { toPlain } from '../src/expression/plain';
import { walk } from '../src/expression/syntax';
import type { SyntaxNode } from '../src/expression/syntax';

export type OracleOutcome = { value: unknown } | { code: string };

/** Far beyond what a random expression needs, so that no outcome depends on a clock or a depth. */
export const wideLimits = {
  maxNodes: 200_000,
  maxDepth: 20_000,
  timeoutMs: 600_000,
  stackDepth: 20_000,
  sequenceLength: 100_000,
};

const guardOptions = {
  timeout: wideLimits.timeoutMs,
  stack: wideLimits.stackDepth,
  sequence: wideLimits.sequenceLength,
};

/**
 * Evaluates with jsonata itself and our functions, on a copy of the input unless that may hold functions. Throws an
 * ExpressionError when jsonata cannot parse the expression.
 */
export function createOracle(source: string, { copies = true } = {}): (input: unknown) => Promise<OracleOutcome> {
  const runner = parse(source);
  for (const { name, implementation, signature } of customFunctions)
    runner.registerFunction(name, implementation as (...args: unknown[]) => unknown, signature);
  return async (input) => {
    try {
      return { value: toPlain(await runner.evaluate(copies ? structuredClone(input) : input)) };
    } catch (error) {
      return { code: evaluationError(error).code };
    }
  };
}

function parse(source: string): jsonata.Expression {
  try {
    return jsonata(source, guardOptions);
  } catch (error) {
    throw parseError(error);
  }
}

/** A text that is too long for us ends jsonata itself in an error without a code. */
export function isOurLimit(actualCode: string, wantedCode: string): boolean {
  return actualCode === 'string_too_long' && wantedCode === 'evaluation_failed';
}

/**
 * Returns whether a source has a constructor with several members: jsonata evaluates these concurrently, so either of
 * two errors may be reported.
 */
export function hasSiblings(source: string): boolean {
  let found = false;
  walk(jsonata(source).ast() as unknown as SyntaxNode, ({ node }) => {
    if (node.type === 'unary' && (node.expressions?.length ?? 0) > 1) found = true;
    if (node.type === 'unary' && Array.isArray(node.lhs) && node.lhs.length > 1) found = true;
    if (node.group !== undefined) found = true;
  });
  return found;
}

/** The outcome of an expression of ours, which may be a promise. */
export async function outcomeOf(evaluate: () => unknown): Promise<OracleOutcome> {
  try {
    return { value: await evaluate() };
  } catch (error) {
    if (error instanceof ExpressionError) return { code: error.code };
    throw error;
  }
}

/** A value to the last bit as text: nothing, null, -0, the order of keys, one item or a list of one. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `[${value.map(describe).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${describe(member)}`)
    .join(', ')}}`;
}

export function describeOutcome(outcome: OracleOutcome): string {
  return 'code' in outcome ? `error ${outcome.code}` : describe(outcome.value);
}
