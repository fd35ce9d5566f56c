import { defaultTimezone } from '../definition/keys';
import type { MaybePromise } from '../values/types';
import { compileTree } from './scalar';
import type { CompiledTree } from './scalar';
import { generateOwn } from './scalar/code-generation';
import { evaluationError, ExpressionError, isRangeError, parseError, tooLarge } from './error';
import { doublingSize } from './doubling';
import { toPlain } from './plain';
import { createReference } from './reference';
import type { Reference } from './reference';
import { withMessage } from './reference/fault-message';
import { findReferences } from './references';
import { walk } from './syntax';
import type { SyntaxNode } from './syntax';
import type { Expression, ExpressionLimits, ParsedExpression } from './types';

/** Generous for 65,536 characters of ordinary text: what jsonata can parse and evaluate gets through. */
export const defaultExpressionLimits: ExpressionLimits = {
  maxNodes: 200_000,
  maxDepth: 20_000,
  timeoutMs: 2_000,
  stackDepth: 2_000,
  sequenceLength: 100_000,
};

/**
 * Parses an expression and finds the fields that it reads, without making it ready to run. Throws an ExpressionError:
 * jsonata's code for a syntax error, `expression_too_large` beyond the limits, `eval_not_allowed` for `$eval`.
 */
export function parseExpression(
  source: string,
  limits: ExpressionLimits = defaultExpressionLimits,
  timezone = defaultTimezone,
): ParsedExpression & { readonly reference: Reference } {
  if (doublingSize(source) > limits.maxNodes) throw tooLarge('The expression nests too many default operators.');
  const reference = parse(source, limits, timezone);
  const { tree } = reference;
  inspect(tree, limits);
  return { tree, reference, references: findReferences(tree) };
}

/** Makes an expression ready to run, with days of a time zone. Throws as `parseExpression` does. */
export function compileExpression(
  source: string,
  limits: ExpressionLimits = defaultExpressionLimits,
  timezone = defaultTimezone,
): Expression {
  const { tree, references, reference } = parseExpression(source, limits, timezone);
  const { sequenceLength, stackDepth } = limits;
  const compiled = compileTree(tree, { sequenceLength, stackDepth });
  return {
    tree,
    references,
    mode: compiled === null ? 'reference' : 'compiled',
    evaluate:
      compiled === null
        ? (input) => refer(reference.evaluate, input)
        : evaluator(compiled, (input) => refer(reference.takeOver, input)),
  };
}

function parse(source: string, limits: ExpressionLimits, timezone: string): Reference {
  try {
    return createReference(source, limits, timezone);
  } catch (error) {
    throw parseError(error);
  }
}

/** Compiled code never writes into its input, so the reference can start again where compiled code gives up. */
function evaluator(
  { run, givesPlainData }: CompiledTree,
  otherwise: (input: unknown) => MaybePromise<unknown>,
): Expression['evaluate'] {
  const finish = givesPlainData ? plainOrFunction : toPlain;
  const fail = (error: unknown, input: unknown): MaybePromise<unknown> => {
    if (isRangeError(error)) return otherwise(input);
    throw evaluationError(withMessage(error));
  };
  return generateOwn(
    { run, finish, fail },
    'input',
    'let value;try{value=run(input);}catch(error){return fail(error,input);}' +
      "return typeof value==='boolean'||typeof value==='number'||typeof value==='string'||value===undefined" +
      '?value:finish(value);',
  );
}

function plainOrFunction(result: unknown): unknown {
  return typeof result === 'function' ? toPlain(result) : result;
}

function refer(evaluate: Reference['evaluate'], input: unknown): MaybePromise<unknown> {
  try {
    const result = evaluate(input);
    return result instanceof Promise ? result.then(toPlain).catch(rejected) : toPlain(result);
  } catch (error) {
    return rejected(error);
  }
}

function rejected(error: unknown): never {
  throw evaluationError(error);
}

/** Checks the tree against the limits. */
function inspect(tree: SyntaxNode, limits: ExpressionLimits): void {
  let nodes = 0;
  walk(tree, ({ node, depth }) => {
    nodes++;
    if (nodes > limits.maxNodes) throw tooLarge(`The expression has more than ${limits.maxNodes} parts.`);
    if (depth > limits.maxDepth) throw tooLarge(`The expression is nested deeper than ${limits.maxDepth}.`);
    if (node.type === 'variable' && node.value === 'eval') throw evalNotAllowed(node);
  });
}

function evalNotAllowed(node: SyntaxNode): ExpressionError {
  return new ExpressionError('eval_not_allowed', '$eval is not allowed.', { position: node.position, token: 'eval' });
}
