import { findNative } from '../../expression/scalar/runtime/natives';
import { findReferences } from '../../expression/references';
import { walk } from '../../expression/syntax';
import type { SyntaxNode } from '../../expression/syntax';
import type { FieldSelection } from '../../expression/types';
import type { Side } from '../../values/types';

/** Functions whose result differs each time or belongs to one evaluation. */
const impureFunctions: ReadonlySet<string> = new Set(['now', 'millis', 'random', 'shuffle', 'eval']);

/** Number of bindings of each variable in a tree. */
export type Bindings = ReadonlyMap<string, number>;

export function findBindings(root: SyntaxNode): Bindings {
  const counts = new Map<string, number>();
  const add = (name: unknown): void => {
    counts.set(String(name), (counts.get(String(name)) ?? 0) + 1);
  };
  walk(root, ({ node }) => {
    if (node.type === 'bind') add((node.lhs as SyntaxNode).value);
    if (node.type === 'lambda') for (const parameter of node.arguments ?? []) add(parameter.value);
    if (node.focus !== undefined) add(node.focus);
    if (node.index !== undefined) add(node.index);
    for (const stage of node.stages ?? []) if (stage.type === 'index') add(stage.value);
  });
  return counts;
}

/** Returns whether a tree means the same wherever and whenever it is evaluated on the same records. */
export function isSelfContained(tree: SyntaxNode, bindings: Bindings): boolean {
  let own: Bindings | null = null;
  let selfContained = true;
  /** Enclosing functions of the node, with their depths. */
  const around: { depth: number; names: ReadonlySet<string> }[] = [];
  walk(tree, ({ node, depth }) => {
    while ((around.at(-1)?.depth ?? 0) >= depth) around.pop();
    if (node.type === 'lambda')
      around.push({ depth, names: new Set((node.arguments ?? []).map(({ value }) => String(value))) });
    if (node.type === 'transform' || node.type === 'parent') selfContained = false;
    if (node.type !== 'variable' || node.value === '') return;
    const name = String(node.value);
    if (impureFunctions.has(name)) selfContained = false;
    const bound = bindings.get(name);
    if (bound === undefined || isParameter(name, around)) return;
    own ??= findBindings(tree);
    // A name bound elsewhere too depends on scopes.
    if (own.get(name) !== bound) selfContained = false;
  });
  return selfContained;
}

/** Checks the innermost functions only: trees are deep, and one that nests more functions may wait for its pairs. */
function isParameter(name: string, around: readonly { names: ReadonlySet<string> }[]): boolean {
  return around.slice(-maxEnclosingFunctions).some(({ names }) => names.has(name));
}

const maxEnclosingFunctions = 16;

/** Returns the only side that a tree can read; null when it may read both. A constant counts as left. */
export function onlySide(tree: SyntaxNode): Side | null {
  const { left, right } = findReferences(tree);
  if (isUnread(right)) return 'left';
  return isUnread(left) ? 'right' : null;
}

function isUnread(selection: FieldSelection): boolean {
  return !selection.all && selection.keys.length === 0;
}

/** A tree and the number of its nodes. */
export interface SizedTree {
  tree: SyntaxNode;
  size: number;
}

/**
 * Substitutes the values of variables. Null when that makes more than `maxNodes` nodes, or when a variable is used
 * where its value would be evaluated in another context than that of its binding: inside a step, a filter or a
 * function.
 */
export function substitute(
  tree: SyntaxNode,
  values: ReadonlyMap<string, SizedTree>,
  maxNodes: number,
): SizedTree | null {
  const replaced = new Map<SyntaxNode, SyntaxNode>();
  let possible = true;
  let size = 0;
  walk(tree, ({ node, atRoot }) => {
    size++;
    if (values.size === 0) return;
    if (node.type === 'lambda' && mentions(node, values)) possible = false;
    const value = node.type === 'variable' ? values.get(String(node.value)) : undefined;
    if (value === undefined) return;
    if (!atRoot || !isBare(node)) possible = false;
    size += value.size;
    replaced.set(node, { type: 'block', expressions: [value.tree] });
  });
  if (!possible || size > maxNodes) return null;
  return { tree: replaced.size === 0 ? tree : copy(tree, replaced), size };
}

function mentions(tree: SyntaxNode, values: ReadonlyMap<string, unknown>): boolean {
  let found = false;
  walk(tree, ({ node }) => {
    if (node.type === 'variable' && values.has(String(node.value))) found = true;
  });
  return found;
}

/** Returns whether a node has nothing but its type and value: no filter, group or flag changes its result. */
export function isBare(node: SyntaxNode): boolean {
  return Object.keys(node).every((key) => key === 'type' || key === 'value' || key === 'position');
}

function copy(value: unknown, replaced: ReadonlyMap<SyntaxNode, SyntaxNode>): SyntaxNode {
  const copyOf = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null || part instanceof RegExp) return part;
    const other = replaced.get(part as SyntaxNode);
    if (other !== undefined) return other;
    if (Array.isArray(part)) return part.map(copyOf);
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, copyOf(member)]));
  };
  return copyOf(value) as SyntaxNode;
}

const certainTypes: ReadonlySet<string> = new Set([
  'path',
  'name',
  'string',
  'number',
  'value',
  'binary',
  'unary',
  'condition',
  'block',
  'bind',
  'variable',
  'function',
]);

/** Returns whether compiled code evaluates a tree on any data: no node of it can turn out to need the reference. */
export function isCertain(tree: SyntaxNode): boolean {
  let certain = true;
  const procedures = new Set<SyntaxNode>();
  const bound = findBindings(tree);
  walk(tree, ({ node }) => {
    if (!certainTypes.has(node.type) || !isPlain(node)) certain = false;
    // After an array that an expression made, jsonata walks over texts and fills empty arrays.
    if (node.type === 'path' && (node.steps ?? []).some((step) => step.type === 'unary')) certain = false;
    if (node.type === 'function') {
      if (node.procedure === undefined || !isCertainCall(node.procedure, node.arguments ?? [])) certain = false;
      else procedures.add(node.procedure);
    }
    if (node.type === 'variable' && !procedures.has(node) && !bound.has(String(node.value))) certain = false;
  });
  return certain;
}

/** With a picture, `$toMillis` completes a partial date from the time of the evaluation. */
function isCertainCall(procedure: SyntaxNode, given: readonly SyntaxNode[]): boolean {
  if (procedure.type !== 'variable' || !isBare(procedure)) return false;
  const name = String(procedure.value);
  return findNative(name) !== undefined && (name !== 'toMillis' || given.length === 1);
}

/** Returns whether nothing that follows a node changes its result. */
export function isPlain(node: SyntaxNode): boolean {
  return (
    node.predicate === undefined &&
    node.group === undefined &&
    node.stages === undefined &&
    node.focus === undefined &&
    node.index === undefined &&
    node.keepSingletonArray !== true &&
    !('keepArray' in node)
  );
}
