import type { SyntaxNode } from '../syntax';

/** Shorter chains evaluate well within the native stack as they are. */
const longChain = 32;

/**
 * Balances a long `and` or `or` chain in place. The parser leaves it as deep as it has terms, and
 * jsonata's evaluator descends the whole depth at once. Both operators are associative with their
 * short circuit: the terms are met in the same order and the evaluation ends at the same term, so
 * value and error code stay as they are.
 */
export function balanceChain(node: SyntaxNode): void {
  if (!isLogical(node)) return;
  const links = chainLinks(node);
  if (links.length < longChain) return;
  const operands = chainOperands(links);
  const middle = operands.length >> 1;
  node.lhs = balanced(operands.slice(0, middle), node);
  node.rhs = balanced(operands.slice(middle), node);
}

function isLogical(node: SyntaxNode): boolean {
  return node.type === 'binary' && (node.value === 'and' || node.value === 'or');
}

/** The nodes of the chain from the outermost to the innermost. */
function chainLinks(outermost: SyntaxNode): SyntaxNode[] {
  const links = [outermost];
  for (let next = outermost.lhs as SyntaxNode; isLink(next, outermost); next = next.lhs as SyntaxNode) links.push(next);
  return links;
}

function isLink(node: SyntaxNode, outermost: SyntaxNode): boolean {
  return isLogical(node) && node.value === outermost.value && node.predicate === undefined && node.group === undefined;
}

function chainOperands(links: readonly SyntaxNode[]): SyntaxNode[] {
  const innermost = links.at(-1)?.lhs as SyntaxNode;
  return [innermost, ...links.map((link) => link.rhs as SyntaxNode).reverse()];
}

function balanced(operands: readonly SyntaxNode[], like: SyntaxNode): SyntaxNode {
  const [only] = operands;
  if (only !== undefined && operands.length === 1) return only;
  const middle = operands.length >> 1;
  return {
    type: 'binary',
    value: like.value,
    ...(like.position === undefined ? {} : { position: like.position }),
    lhs: balanced(operands.slice(0, middle), like),
    rhs: balanced(operands.slice(middle), like),
  };
}
