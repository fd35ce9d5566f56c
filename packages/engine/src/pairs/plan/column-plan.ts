import { compileTree } from '../../expression/scalar';
import type { CompiledTree } from '../../expression/scalar';
import { findReferences } from '../../expression/references';
import type { SyntaxNode } from '../../expression/syntax';
import type { Side } from '../../values/types';
import { FieldSource } from './nodes';
import type { PairColumn, PairNode } from './nodes';
import { isCertain, isPlain, onlySide } from './one-sided';

/**
 * Bound on the columns of one side. A batch holds columns for all its records; further ones are evaluated for each
 * pair.
 */
const maxColumns = 64;

/** Collects the columns of a rule set. Equal sub-expressions share one. */
export class ColumnPlan {
  readonly columns: Record<Side, PairColumn[]> = { left: [], right: [] };
  /** True if a column may need the reference, which evaluates whole pairs. */
  mayNeedReference = false;
  private dictionaries = 0;
  private variables = 0;
  private readonly known = new Map<string, PairColumn>();

  get dictionaryCount(): number {
    return this.dictionaries;
  }

  /** Returns the next number for a variable. */
  nextVariable(): number {
    return this.variables++;
  }

  /** Returns the column of a self-contained tree; null when the tree reads both sides or is not compiled. */
  add(tree: SyntaxNode): PairColumn | null {
    const side = onlySide(tree);
    if (side === null) return null;
    const key = keyOf(tree);
    const known = key === null ? undefined : this.known.get(key);
    if (known !== undefined) return known;
    const compiled = this.columns[side].length < maxColumns ? this.compile(tree) : null;
    if (compiled === null) return null;
    const column: PairColumn = {
      side,
      index: this.columns[side].length,
      read: (input) => compiled.run(input),
      isField: isFieldPath(tree),
      isConstant: readsNothing(tree),
      field: fieldSource(tree, side),
      dictionary: null,
    };
    this.columns[side].push(column);
    if (!isCertain(tree)) this.mayNeedReference = true;
    if (key !== null) this.known.set(key, column);
    return column;
  }

  compile(tree: SyntaxNode): CompiledTree | null {
    return compileTree(tree);
  }

  /**
   * Assigns dictionaries to columns that are only compared by `=` and `!=`, and only with such columns of the other
   * side. Each group of columns that are compared shares one dictionary.
   */
  assignDictionaries(roots: readonly PairNode[]): void {
    const equalities: [PairColumn, PairColumn][] = [];
    const asValues = new Set<PairColumn>();
    for (const root of roots) collectUses(root, equalities, asValues);
    let size: number;
    do {
      size = asValues.size;
      for (const [one, other] of equalities) if (asValues.has(one) || asValues.has(other)) asValues.add(one).add(other);
    } while (asValues.size > size);
    for (const [one, other] of equalities) if (!asValues.has(one)) this.join(one, other);
  }

  private join(one: PairColumn, other: PairColumn): void {
    const target = one.dictionary ?? other.dictionary ?? this.dictionaries++;
    for (const part of [one.dictionary, other.dictionary])
      if (part !== null && part !== target) this.rename(part, target);
    one.dictionary = target;
    other.dictionary = target;
  }

  private rename(from: number, to: number): void {
    for (const column of [...this.columns.left, ...this.columns.right])
      if (column.dictionary === from) column.dictionary = to;
  }
}

function collectUses(root: PairNode, equalities: [PairColumn, PairColumn][], asValues: Set<PairColumn>): void {
  const visit = (node: PairNode): void => {
    if (node.kind === 'column') {
      asValues.add(node.column);
      return;
    }
    const pair = comparedColumns(node);
    if (pair !== null) equalities.push(pair);
    else for (const child of childrenOf(node)) if (!isStep(node, child)) visit(child);
  };
  visit(root);
}

/** Returns whether a child is a step of a block: a column as a step only raises its error, for which codes suffice. */
function isStep(parent: PairNode, child: PairNode): boolean {
  return parent.kind === 'block' && child.kind === 'column' && child !== parent.result;
}

/** Returns the columns of an equality between the sides; null for another node. */
export function comparedColumns(node: PairNode): [PairColumn, PairColumn] | null {
  if (node.kind !== 'equality' || node.left.kind !== 'column' || node.right.kind !== 'column') return null;
  const {
    left: { column: one },
    right: { column: other },
  } = node;
  return one.side === other.side ? null : [one, other];
}

export function childrenOf(node: PairNode): readonly PairNode[] {
  switch (node.kind) {
    case 'constant':
    case 'column':
    case 'pair':
    case 'variable':
      return [];
    case 'negation':
      return [node.operand];
    case 'condition':
      return node.otherwise === null ? [node.test, node.then] : [node.test, node.then, node.otherwise];
    case 'call':
      return node.arguments;
    case 'list':
      return node.items;
    case 'block':
      return [...node.steps, node.result];
    case 'bind':
      return [node.value];
    default:
      return [node.left, node.right];
  }
}

function isFieldPath(tree: SyntaxNode): boolean {
  return tree.type === 'path' && stepsOf(tree).every((step) => step.type === 'name' && isPlain(step)) && isPlain(tree);
}

function stepsOf({ steps }: SyntaxNode): readonly SyntaxNode[] {
  return steps ?? [];
}

function readsNothing(tree: SyntaxNode): boolean {
  const { left, right } = findReferences(tree);
  return [left, right].every(({ all, keys }) => !all && keys.length === 0);
}

function fieldSource(tree: SyntaxNode, side: Side): FieldSource | null {
  const { all, keys } = findReferences(tree)[side];
  const [name] = keys;
  if (all || name === undefined || keys.length > 1) return null;
  return new FieldSource(name, isFieldPath(tree) && stepsOf(tree).length === 2);
}

/**
 * Returns a key that is equal for trees that differ in positions only; null for a tree with a regular expression,
 * which has no text.
 */
function keyOf(tree: SyntaxNode): string | null {
  let hasRegex = false;
  const key = JSON.stringify(tree, (name, value: unknown) => {
    if (name === 'type' && value === 'regex') hasRegex = true;
    if (name === 'position') return undefined;
    return Object.is(value, -0) ? { negativeZero: true } : value;
  });
  return hasRegex ? null : key;
}
