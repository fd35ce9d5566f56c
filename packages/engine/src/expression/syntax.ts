/**
 * The nodes that jsonata's parser (2.2.2) leaves after its post-parse stage. Its own typings leave
 * out most of the fields, and the shape of `lhs` and `value` depends on the node type.
 */
export interface SyntaxNode {
  type: string;
  value?: unknown;
  position?: number;
  steps?: SyntaxNode[];
  stages?: Stage[];
  predicate?: Stage[];
  group?: Group;
  keepSingletonArray?: boolean;
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

export type Stage = { type: 'filter'; expr: SyntaxNode } | { type: 'index'; value: string };

export interface Group {
  lhs: [SyntaxNode, SyntaxNode][];
}

/** All direct children of a node. */
export function childNodes(node: SyntaxNode): SyntaxNode[] {
  const children: (SyntaxNode | undefined)[] = [
    ...(node.steps ?? []), ...(node.expressions ?? []), ...(node.arguments ?? []),
    ...(node.terms ?? []).map((term) => term.expression),
    ...stageNodes(node.stages), ...stageNodes(node.predicate), ...(node.group?.lhs.flat() ?? []),
    ...(Array.isArray(node.lhs) ? node.lhs.flat() : [node.lhs]),
    node.rhs, node.expression, node.procedure, node.body, node.condition, node.then, node.else,
    node.pattern, node.update, node.delete,
  ];
  return children.filter((child) => child !== undefined);
}

function stageNodes(stages: Stage[] | undefined): SyntaxNode[] {
  return (stages ?? []).flatMap((stage) => (stage.type === 'filter' ? [stage.expr] : []));
}

/** Visits every node with its depth, without recursion: trees of long expressions are deep. */
export function walk(root: SyntaxNode, visit: (node: SyntaxNode, depth: number) => void): void {
  const open: { node: SyntaxNode; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visit(next.node, next.depth);
    for (const child of childNodes(next.node)) open.push({ node: child, depth: next.depth + 1 });
  }
}
