import { isRangeError } from '../error';
import type { SyntaxNode } from '../syntax';
import { makeClosure } from './closures';
import { canGenerateCode, generate, generateOwn } from './code-generation';
import { call } from './ir';
import { lowerForAny, lowerForObject, Unsupported } from './lowering';
import { giveUp } from './runtime/fault';
import { refuel } from './runtime/meter';
import { isObjectInput, unwrapInput, wrapInput } from './runtime/input';

export { nestsSequences } from './lowering';

export interface CompiledTree {
  /**
   * Evaluates synchronously. Throws jsonata's plain error objects and ExpressionErrors; a RangeError means that the
   * reference has to evaluate: the native stack was exhausted, or only jsonata knows the result.
   */
  run(input: unknown): unknown;
  /** Whether results are plain data already, new at each evaluation. */
  readonly givesPlainData: boolean;
  /** Whether it is generated code; closures otherwise. */
  readonly isGenerated: boolean;
}

export interface CompilerOptions {
  /** Runs through closures instead of generated code. They are used anyway where no text may become code. */
  closures?: boolean;
  /** Items of one result sequence. */
  sequenceLength?: number;
  /** Calls of lambdas within one another. */
  stackDepth?: number;
}

/** Null when the tree needs the reference. */
export function compileTree(tree: SyntaxNode, options: CompilerOptions = {}): CompiledTree | null {
  const program = unlessTooDeep(() => lowerForObject(tree));
  if (program === null) return null;
  const generates = options.closures !== true && canGenerateCode();
  const build = generates ? generate : makeClosure;
  const forObject = unlessTooDeep(() => build(program.scope, program.parameter, program.body));
  if (forObject === null) return null;
  let forAny: ((input: unknown) => unknown) | undefined;
  const compileForAny = (): ((input: unknown) => unknown) => {
    const { scope, parameter, body } = lowerForAny(tree, (wrapped) => call(unwrapInput, wrapped));
    return build(scope, parameter, body);
  };
  const runForAny = (input: unknown): unknown => {
    // What compiles for an object need not for any input.
    forAny ??= unlessTooDeep(compileForAny) ?? giveUp;
    return forAny(wrapInput(input));
  };
  const { sequenceLength, stackDepth } = options;
  const begin = (): void => refuel(sequenceLength, stackDepth);
  return {
    givesPlainData: program.isPlain,
    isGenerated: generates,
    run: generates
      ? generateOwn(
          { begin, isObjectInput, forObject, runForAny },
          'input',
          'begin();return isObjectInput(input)?forObject(input):runForAny(input);',
        )
      : (input) => {
          begin();
          return isObjectInput(input) ? forObject(input) : runForAny(input);
        },
  };
}

/** Null where a step needs the reference. */
function unlessTooDeep<T>(step: () => T): T | null {
  try {
    return step();
  } catch (error) {
    // The stack ends before a very deep tree does.
    if (error instanceof Unsupported || isRangeError(error)) return null;
    throw error;
  }
}
