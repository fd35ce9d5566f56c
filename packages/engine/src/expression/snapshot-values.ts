import { ExpressionError } from './error';
import { walk } from './syntax';
import type { SyntaxNode } from './syntax';

/** Key under which a record carries what no group holds of its amount, where a rule set reads that. */
export const remainingKey = '$remaining';

const rarityPrefix = '$rarity ';

/**
 * The key under which a record carries the rarity of its value of a field: the share of records of the dataset with it.
 */
export const rarityKey = (field: string): string => rarityPrefix + field;

/** Returns the field of a key of `rarityKey`; undefined for any other key. */
export const rarityField = (key: string): string | undefined =>
  key.startsWith(rarityPrefix) ? key.slice(rarityPrefix.length) : undefined;

export const isSnapshotKey = (key: string): boolean => key === remainingKey || rarityField(key) !== undefined;

/** A function whose value a record carries. */
interface SnapshotFunction {
  name: string;
  /** Number of names in its only argument. */
  names: 1 | 2;
  keyOf: (field: string) => string;
  usage: string;
}

const snapshotFunctions: readonly SnapshotFunction[] = [
  { name: 'remaining', names: 1, keyOf: () => remainingKey, usage: '$remaining(left) or $remaining(right)' },
  { name: 'rarity', names: 2, keyOf: rarityKey, usage: '$rarity(left.field) or $rarity(right.field)' },
];

/**
 * Turns each `$remaining(left)` and `$rarity(left.name)` of a tree into the path to that value, so that every evaluator
 * reads it. A tree that binds the name itself keeps its own.
 * @throws ExpressionError for any other use
 */
export function readSnapshotValues(root: SyntaxNode): void {
  for (const known of snapshotFunctions) replaceCalls(root, known);
}

function replaceCalls(root: SyntaxNode, known: SnapshotFunction): void {
  const { name } = known;
  const calls: { node: SyntaxNode; atRoot: boolean }[] = [];
  const variables = new Set<SyntaxNode>();
  let isOwn = false;
  walk(root, ({ node, atRoot }) => {
    const isNamed = (one: SyntaxNode | undefined): boolean => one?.type === 'variable' && one.value === name;
    if (isNamed(node)) variables.add(node);
    if (node.type === 'function' && isNamed(node.procedure)) calls.push({ node, atRoot });
    const bound = [node.type === 'bind' ? (node.lhs as SyntaxNode).value : undefined, node.focus, node.index];
    const parameters = node.type === 'lambda' ? (node.arguments ?? []) : [];
    isOwn ||= [...bound, ...parameters.map(({ value }) => value)].includes(name);
  });
  if (isOwn || variables.size === 0) return;
  for (const { node, atRoot } of calls) {
    variables.delete(node.procedure as SyntaxNode);
    const [side, field] = namesIn(node, known);
    const key = known.keyOf(field === undefined ? '' : String(field.value));
    const steps = [side, { type: 'name', value: key, position: node.position as number }];
    const path: SyntaxNode = { type: 'path', steps: atRoot ? steps : [{ type: 'variable', value: '$' }, ...steps] };
    const isPlain = node.predicate === undefined && node.group === undefined;
    for (const member of Object.keys(node))
      if (member !== 'predicate' && member !== 'group') Reflect.deleteProperty(node, member);
    Object.assign(node, isPlain ? path : { type: 'block', expressions: [path] });
  }
  for (const { position } of variables) throw refused(position, known);
}

/** Returns the steps of the only argument: `left` or `right`, and a field where the function reads one. */
function namesIn(
  { arguments: given = [], position }: SyntaxNode,
  known: SnapshotFunction,
): [side: SyntaxNode, field?: SyntaxNode] {
  const [argument] = given;
  const steps = argument?.type === 'path' && given.length === 1 && argument.group === undefined ? argument.steps : [];
  const [side, field] = steps ?? [];
  const areNames = steps?.every(({ type, stages }) => type === 'name' && stages === undefined) === true;
  if (!areNames || steps.length !== known.names || (side?.value !== 'left' && side?.value !== 'right'))
    throw refused(position, known);
  return field === undefined ? [side] : [side, field];
}

const refused = (position: number | undefined, { name, usage }: SnapshotFunction): ExpressionError =>
  new ExpressionError(`${name}_argument`, `Write ${usage}.`, { position, token: name });
