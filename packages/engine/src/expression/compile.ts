import jsonata from 'jsonata';
import { balanceChain } from './chains';
import { evaluationError, ExpressionError, parseError, tooLarge } from './error';
import { doublingSize } from './doubling';
import { toPlain } from './plain';
import { findReferences } from './references';
import { walk } from './syntax';
import type { SyntaxNode, Visit } from './syntax';
import type { Expression, ExpressionLimits } from './types';

/** Generous for 65,536 characters of ordinary text: what jsonata can parse and evaluate gets through. */
export const DEFAULT_EXPRESSION_LIMITS: ExpressionLimits = {
  maxNodes: 200_000,
  maxDepth: 20_000,
  timeoutMs: 5_000,
  stackDepth: 2_000,
  sequenceLength: 100_000,
};

interface TreeFacts {
  nodes: number;
  mayWriteInput: boolean;
}

/**
 * Parses an expression and finds what it reads. Throws an ExpressionError: jsonata's code for a
 * syntax error, `expression_too_large` beyond the limits, `eval_not_allowed` for `$eval`.
 */
export function compileExpression(source: string, limits: ExpressionLimits = DEFAULT_EXPRESSION_LIMITS): Expression {
  if (doublingSize(source) > limits.maxNodes) throw tooLarge('The expression nests too many default operators.');
  const guards = { timeout: limits.timeoutMs, stack: limits.stackDepth, sequence: limits.sequenceLength };
  const runner = parse(source, guards);
  // jsonata's typings of the tree leave out most of its fields.
  const tree = runner.ast() as unknown as SyntaxNode;
  const facts = inspect(tree, limits);
  // Members of a constructor run side by side and count together: the tree itself must not exhaust
  // the stack guard. jsonata reads the guards at every evaluation.
  guards.stack += facts.nodes;
  return {
    source,
    mode: 'reference',
    references: findReferences(tree),
    evaluate: (input) => evaluate(runner, facts.mayWriteInput ? structuredClone(input) : input),
  };
}

function parse(source: string, guards: jsonata.JsonataOptions): jsonata.Expression {
  try {
    return jsonata(source, guards);
  } catch (error) {
    throw parseError(error);
  }
}

async function evaluate(runner: jsonata.Expression, input: unknown): Promise<unknown> {
  try {
    return toPlain(await runner.evaluate(input));
  } catch (error) {
    throw evaluationError(error);
  }
}

/** Checks the tree against the limits and prepares it, which jsonata evaluates as it stands. */
function inspect(tree: SyntaxNode, limits: ExpressionLimits): TreeFacts {
  const facts: TreeFacts = { nodes: 0, mayWriteInput: false };
  walk(tree, (visit) => {
    const { node, depth } = visit;
    balanceChain(node);
    facts.nodes += 1;
    if (facts.nodes > limits.maxNodes) throw tooLarge(`The expression has more than ${limits.maxNodes} parts.`);
    if (depth > limits.maxDepth) throw tooLarge(`The expression is nested deeper than ${limits.maxDepth}.`);
    if (node.type === 'variable' && node.value === 'eval') throw evalNotAllowed(node);
    if (mayWriteInput(visit)) facts.mayWriteInput = true;
  });
  return facts;
}

/**
 * jsonata writes into its input for a transform of `$$`, for `[]` behind an array, and for a group or
 * an object constructor over an empty array (the root is none).
 */
function mayWriteInput({ node, atRoot }: Visit): boolean {
  if (node.type === 'transform' || node.group !== undefined || node.keepSingletonArray === true) return true;
  return !atRoot && node.type === 'unary' && node.value === '{';
}

function evalNotAllowed(node: SyntaxNode): ExpressionError {
  return new ExpressionError('eval_not_allowed', '$eval is not allowed.', { position: node.position, token: 'eval' });
}
