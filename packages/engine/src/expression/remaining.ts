import { ExpressionError } from './error';
import { walk } from './syntax';
import type { SyntaxNode } from './syntax';

/** Key under which a record carries what no group holds of its amount, where a rule set reads that. */
export const remainingKey = '$remaining';

const name = 'remaining';

/**
 * Turns each `$remaining(left)` and `$remaining(right)` of a tree into the path to that value, so that every evaluator
 * reads it. A tree that binds the name itself stays as it is.
 * @throws ExpressionError for any other use
 */
export function readRemaining(root: SyntaxNode): void {
  const calls: { node: SyntaxNode; atRoot: boolean }[] = [];
  const variables = new Set<SyntaxNode>();
  let isOwn = false;
  walk(root, ({ node, atRoot }) => {
    if (node.type === 'variable' && node.value === name) variables.add(node);
    if (node.type === 'function' && isNamed(node.procedure)) calls.push({ node, atRoot });
    const bound = [node.type === 'bind' ? (node.lhs as SyntaxNode).value : undefined, node.focus, node.index];
    const parameters = node.type === 'lambda' ? (node.arguments ?? []) : [];
    isOwn ||= [...bound, ...parameters.map(({ value }) => value)].includes(name);
  });
  if (isOwn || variables.size === 0) return;
  for (const { node, atRoot } of calls) {
    variables.delete(node.procedure as SyntaxNode);
    const side = sideOf(node);
    const steps: SyntaxNode[] = [side, { type: 'name', value: remainingKey, position: node.position as number }];
    const path: SyntaxNode = { type: 'path', steps: atRoot ? steps : [{ type: 'variable', value: '$' }, ...steps] };
    const isPlain = node.predicate === undefined && node.group === undefined;
    for (const key of Object.keys(node)) if (key !== 'predicate' && key !== 'group') Reflect.deleteProperty(node, key);
    Object.assign(node, isPlain ? path : { type: 'block', expressions: [path] });
  }
  for (const { position } of variables) throw refused(position);
}

const isNamed = (node: SyntaxNode | undefined): boolean => node?.type === 'variable' && node.value === name;

/** Returns the step `left` or `right` of the only argument. */
function sideOf({ arguments: given = [], position }: SyntaxNode): SyntaxNode {
  const [argument] = given;
  const [step] = argument?.steps ?? [];
  const isSide =
    given.length === 1 &&
    argument?.type === 'path' &&
    argument.steps?.length === 1 &&
    step?.type === 'name' &&
    (step.value === 'left' || step.value === 'right') &&
    step.stages === undefined;
  if (!isSide) throw refused(position);
  return step;
}

const refused = (position: number | undefined): ExpressionError =>
  new ExpressionError('remaining_argument', 'Write $remaining(left) or $remaining(right).', {
    position,
    token: name,
  });
