/**
 * The nodes that jsonata's parser (2.2.2) leaves after its post-parse stage. Its own typings leave
 * out most of the fields, and the shape of `lhs` and `value` depends on the node type.
 */
export interface SyntaxNode {
  type: string;
  value?: unknown;
  position?: number;
  steps?: SyntaxNode[];
  stages?: PathStage[];
  predicate?: PathStage[];
  group?: Group;
  keepSingletonArray?: boolean;
  /** True when `[]` follows the node: its result stays an array. */
  keepArray?: boolean;
  /** An array constructor that a path must not flatten. */
  consarray?: boolean;
  /** A step whose result carries variables for each of its rows. */
  tuple?: boolean;
  ancestor?: unknown;
  seekingParent?: unknown;
  terms?: { descending: boolean; expression: SyntaxNode }[];
  lhs?: SyntaxNode | [SyntaxNode, SyntaxNode][];
  rhs?: SyntaxNode;
  expression?: SyntaxNode;
  expressions?: SyntaxNode[];
  arguments?: SyntaxNode[];
  procedure?: SyntaxNode;
  signature?: unknown;
  thunk?: boolean;
  body?: SyntaxNode;
  condition?: SyntaxNode;
  then?: SyntaxNode;
  else?: SyntaxNode;
  pattern?: SyntaxNode;
  update?: SyntaxNode;
  delete?: SyntaxNode;
  /** Name of the variable that `@` binds. */
  focus?: string;
  /** Name of the variable that `#` binds. */
  index?: string;
}

export type PathStage = { type: 'filter'; expr: SyntaxNode } | { type: 'index'; value: string };

export interface Group {
  lhs: [SyntaxNode, SyntaxNode][];
}

/** A position of a node, as the walk visits it. */
export interface Visit {
  node: SyntaxNode;
  depth: number;
  /** True when the node is evaluated with the root as its context. */
  atRoot: boolean;
}

/** Visits every node, without recursion: trees of long expressions are deep. */
export function walk(root: SyntaxNode, visit: (at: Visit) => void): void {
  const open: Visit[] = [{ node: root, depth: 1, atRoot: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visit(next);
    const { node, atRoot } = next;
    const depth = next.depth + 1;
    for (const child of sameContext(node)) if (child !== undefined) open.push({ node: child, depth, atRoot });
    for (const child of otherContext(node)) if (child !== undefined) open.push({ node: child, depth, atRoot: false });
  }
}

/** Children evaluated with the context of the node itself; a lambda keeps that of its definition. */
function sameContext(node: SyntaxNode): (SyntaxNode | undefined)[] {
  return [
    node.steps?.[0],
    ...(node.expressions ?? []),
    ...(node.arguments ?? []),
    ...(Array.isArray(node.lhs) ? node.lhs.flat() : [node.lhs]),
    node.rhs,
    node.expression,
    node.procedure,
    node.body,
    node.condition,
    node.then,
    node.else,
  ];
}

function otherContext(node: SyntaxNode): (SyntaxNode | undefined)[] {
  return [
    ...(node.steps?.slice(1) ?? []),
    ...(node.terms ?? []).map((term) => term.expression),
    ...stageNodes(node.stages),
    ...stageNodes(node.predicate),
    ...(node.group?.lhs.flat() ?? []),
    node.pattern,
    node.update,
    node.delete,
  ];
}

function stageNodes(stages: PathStage[] | undefined): SyntaxNode[] {
  return (stages ?? []).flatMap((stage) => (stage.type === 'filter' ? [stage.expr] : []));
}
