import { isRangeError } from '../error';
import type { SyntaxNode } from '../syntax';
import { generate, generateOwn, isCodeForbidden } from './code-generation';
import { call } from './ir';
import { lowerForAny, lowerForObject, Unsupported } from './lowering';
import { giveUp } from '../fault';
import { refuel } from '../limits/meter';
import { isObjectInput, unwrapInput, wrapInput } from './runtime/input';

export { nestsSequences } from './lowering';

export interface CompiledTree {
  /**
   * Evaluates synchronously. Throws jsonata's plain error objects and ExpressionErrors; a RangeError means that the
   * reference has to evaluate: the native stack was exhausted, or only jsonata knows the result.
   */
  run(input: unknown): unknown;
  /** True when results are already plain data, created by each evaluation. */
  readonly givesPlainData: boolean;
}

export interface CompilerOptions {
  /** Items of one result sequence. */
  sequenceLength?: number;
  /** Calls of lambdas within one another. */
  stackDepth?: number;
}

/** Null when the tree needs the reference, and where the process forbids generated code. */
export function compileTree(tree: SyntaxNode, options: CompilerOptions = {}): CompiledTree | null {
  const program = nullIfUnsupported(() => lowerForObject(tree));
  if (program === null) return null;
  const forObject = nullIfUnsupported(() => generate(program.scope, program.parameter, program.body));
  if (forObject === null) return null;
  let forAny: ((input: unknown) => unknown) | undefined;
  const compileForAny = (): ((input: unknown) => unknown) => {
    const { scope, parameter, body } = lowerForAny(tree, (wrapped) => call(unwrapInput, wrapped));
    return generate(scope, parameter, body);
  };
  const runForAny = (input: unknown): unknown => {
    // An expression that compiles for objects may not compile for any input.
    forAny ??= nullIfUnsupported(compileForAny) ?? giveUp;
    return forAny(wrapInput(input));
  };
  const { sequenceLength, stackDepth } = options;
  const begin = (): void => refuel(sequenceLength, stackDepth);
  return {
    givesPlainData: program.isPlain,
    run: generateOwn(
      { begin, isObjectInput, forObject, runForAny },
      'input',
      'begin();return isObjectInput(input)?forObject(input):runForAny(input);',
    ),
  };
}

/** Null where a step needs the reference. */
function nullIfUnsupported<T>(step: () => T): T | null {
  try {
    return step();
  } catch (error) {
    // The stack ends before a very deep tree does.
    if (error instanceof Unsupported || isRangeError(error) || isCodeForbidden(error)) return null;
    throw error;
  }
}
