import { ownWorkspace, resolveFile, targetOf } from './layout';
import type { ParsedFile } from './parse';

/**
 * Finds import cycles, each as the list of its files, smallest name first. Imports of types count: files that need each
 * other's types are one file in two. Depth-first search after Tarjan: a strongly connected component with more than one
 * file, or a file that imports itself, is a cycle.
 */
export function findCycles(files: readonly ParsedFile[]): string[][] {
  const known = new Set(files.map((file) => file.path));
  const edges = new Map(files.map((file) => [file.path, [...importedFiles(file, known)]]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[][] = [];

  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file) as number);
    stack.push(file);
    onStack.add(file);
    for (const next of edges.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (onStack.has(next)) low.set(file, Math.min(low.get(file) as number, low.get(next) as number));
    }
    if (low.get(file) !== order.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    for (const member of component) onStack.delete(member);
    if (component.length > 1 || edges.get(file)?.includes(file)) cycles.push(component.sort());
  };
  for (const file of known) if (!order.has(file)) visit(file);
  return cycles;
}

/** Yields the known files that a file imports. */
function* importedFiles(file: ParsedFile, known: ReadonlySet<string>): Generator<string> {
  for (const { specifier } of file.references) {
    const target = targetOf(file.path, specifier);
    const own = target.kind === 'package' ? ownWorkspace(target.name) : undefined;
    const wanted = target.kind === 'file' ? target.path : own && `${own}/src`;
    const resolved = wanted && resolveFile(wanted, known);
    if (resolved) yield resolved;
  }
}
