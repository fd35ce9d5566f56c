/**
 * Makes `new Function` throw, as in a process with --disallow-code-generation-from-strings. Returns a function that
 * allows it again.
 */
export function forbidCodeGeneration(): () => void {
  const original = globalThis.Function;
  const refuse = (): never => {
    throw new EvalError('Code generation from strings disallowed for this context');
  };
  globalThis.Function = new Proxy(original, { apply: refuse, construct: refuse });
  return () => {
    globalThis.Function = original;
  };
}

/** Runs with code generation, or without. */
export async function withCodeGeneration<T>(isAllowed: boolean, run: () => T | Promise<T>): Promise<T> {
  const allow = isAllowed ? undefined : forbidCodeGeneration();
  try {
    return await run();
  } finally {
    allow?.();
  }
}
