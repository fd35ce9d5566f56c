import { walk } from '../syntax';
import type { SyntaxNode } from '../syntax';

/** Looking into the parts of more transforms than these is not worth the time. */
const maxTransforms = 100;

interface Writers {
  transforms: SyntaxNode[];
  /** Object constructors whose context may be an empty array, to which jsonata adds an item. */
  constructors: SyntaxNode[];
  groups: boolean;
  redefinesClone: boolean;
}

/**
 * Returns whether jsonata may write into its input: into an empty array over which it groups or constructs an object,
 * or into the matches of a transform's pattern. The latter belong to the transform's copy, and so does the context of
 * its update, unless the pattern leaves its context or `$clone` is redefined.
 */
export function writesInput(tree: SyntaxNode): boolean {
  const { transforms, constructors, groups, redefinesClone } = writersOf(tree);
  if (groups || transforms.length > maxTransforms) return true;
  if (transforms.some(({ pattern }) => redefinesClone || (pattern !== undefined && leavesContext(pattern))))
    return true;
  const overCopies = new Set<SyntaxNode>();
  for (const { update } of transforms) {
    if (update !== undefined) walk(update, ({ node, atRoot }) => atRoot && overCopies.add(node));
  }
  return constructors.some((node) => !overCopies.has(node));
}

function writersOf(tree: SyntaxNode): Writers {
  const writers: Writers = { transforms: [], constructors: [], groups: false, redefinesClone: false };
  walk(tree, ({ node, atRoot }) => {
    if (node.type === 'transform') writers.transforms.push(node);
    if (!atRoot && node.type === 'unary' && node.value === '{') writers.constructors.push(node);
    if (node.group !== undefined) writers.groups = true;
    if (namesClone(node)) writers.redefinesClone = true;
  });
  return writers;
}

function namesClone({ type, value, focus, index, stages }: SyntaxNode): boolean {
  if (type === 'variable') return value === 'clone';
  return (
    focus === 'clone' ||
    index === 'clone' ||
    (stages ?? []).some((stage) => stage.type === 'index' && stage.value === 'clone')
  );
}

/** A variable may hold a part of the input, and the parent be one. */
function leavesContext(pattern: SyntaxNode): boolean {
  let leaves = false;
  walk(pattern, ({ node }) => {
    if (node.type === 'parent' || (node.type === 'variable' && node.value !== '')) leaves = true;
  });
  return leaves;
}
