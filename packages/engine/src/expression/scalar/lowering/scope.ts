import type { Operand } from './operand';
import { Unsupported } from './unsupported';

/** The variables of a block or a lambda, as jsonata's frames hold them. */
export interface VariableScope {
  readonly outer: VariableScope | null;
  /** The function of the program whose call makes the frame. */
  readonly depth: number;
  readonly bound: Map<string, Operand>;
  /** Bound by a later step of the block; until then the name means what it means outside. */
  readonly awaited: Map<string, Operand>;
}

export function newVariableScope(outer: VariableScope | null, depth: number): VariableScope {
  return { outer, depth, bound: new Map(), awaited: new Map() };
}

/** Finds the value that a name is bound to; null when nothing binds it. */
export function findVariable(
  scope: VariableScope | null,
  name: string,
  depth: number,
  isBuiltin: boolean,
): Operand | null {
  for (let at = scope; at !== null; at = at.outer) {
    const bound = at.bound.get(name);
    if (bound !== undefined) return bound;
    const awaited = at.awaited.get(name);
    if (awaited === undefined || depth === at.depth) continue;
    // A function may run before or after the binding, and must find the same value in both cases.
    if (isBuiltin || findVariable(at.outer, name, at.depth, false) !== null)
      throw new Unsupported('variable before its binding');
    return awaited;
  }
  return null;
}
