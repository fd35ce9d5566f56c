import ts from 'typescript';

/** One reference to another module: import, export … from, import type, import(), require() or require.resolve(). */
export interface ModuleReference {
  specifier: string;
  /** Names taken from the module, `*` for all of it. */
  names: string[];
  line: number;
}

/** A use of something global: `process.env`, `Date.now`, `new Date()`, … */
export interface GlobalUse {
  name: string;
  line: number;
}

export interface ParsedFile {
  /** Relative to the root of the checkout, with forward slashes. */
  path: string;
  references: ModuleReference[];
  globals: GlobalUse[];
}

/** References of a source file, read from its syntax tree. */
export function parseFile(path: string, text: string): ParsedFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const references: ModuleReference[] = [];
  const globals: GlobalUse[] = [];
  let declared: Set<string> | undefined;
  const isDeclared = (name: string): boolean => (declared ??= declaredNames(source)).has(name);
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

  const visit = (node: ts.Node): void => {
    const reference = moduleReference(node);
    if (reference) references.push({ ...reference, line: lineOf(node) });
    for (const name of globalUses(node, isDeclared)) globals.push({ name, line: lineOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { path, references, globals };
}

function moduleReference(node: ts.Node): Omit<ModuleReference, 'line'> | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, names: importedNames(node.importClause) };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    const elements =
      node.exportClause && ts.isNamedExports(node.exportClause) ? [...node.exportClause.elements] : undefined;
    return {
      specifier: node.moduleSpecifier.text,
      names: elements ? elements.map((e) => (e.propertyName ?? e.name).text) : ['*'],
    };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return literalReference(node.moduleReference.expression);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literalReference(node.argument.literal);
  if (ts.isCallExpression(node) && loadsModule(node.expression)) return literalReference(node.arguments[0]);
  return undefined;
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  if (!clause) return [];
  const { namedBindings } = clause;
  const elements = namedBindings && ts.isNamedImports(namedBindings) ? [...namedBindings.elements] : [];
  return [
    ...(clause.name ? ['default'] : []),
    ...(namedBindings && ts.isNamespaceImport(namedBindings) ? ['*'] : []),
    ...elements.map((e) => (e.propertyName ?? e.name).text),
  ];
}

function literalReference(node: ts.Node | undefined): Omit<ModuleReference, 'line'> | undefined {
  return node && ts.isStringLiteralLike(node) ? { specifier: node.text, names: ['*'] } : undefined;
}

/** The callee of `import(…)`, `require(…)` or `require.resolve(…)`. */
function loadsModule(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(callee)) return callee.text === 'require';
  return (
    ts.isPropertyAccessExpression(callee) &&
    ts.isIdentifier(callee.expression) &&
    callee.expression.text === 'require' &&
    callee.name.text === 'resolve'
  );
}

const watched = new Set([
  'process',
  'Date',
  'Math',
  'crypto',
  'performance',
  'fetch',
  'globalThis',
  'console',
  'Buffer',
]);

/** The use of a watched global by this node, with the member: `Math.random`, `new Date()`, `process.env`. */
function globalUses(node: ts.Node, isDeclared: (name: string) => boolean): string[] {
  if (!ts.isIdentifier(node) || !watched.has(node.text) || isDeclared(node.text) || !isExpressionUse(node)) return [];
  const { parent, text } = node;
  if (ts.isPropertyAccessExpression(parent)) return [`${text}.${parent.name.text}`];
  if (
    ts.isElementAccessExpression(parent) &&
    parent.expression === node &&
    ts.isStringLiteralLike(parent.argumentExpression)
  ) {
    return [`${text}.${parent.argumentExpression.text}`];
  }
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) {
    return parent.name.elements.map((e) => `${text}.${(e.propertyName ?? e.name).getText()}`);
  }
  if (ts.isNewExpression(parent) && parent.expression === node)
    return [`new ${text}(${parent.arguments?.length ? '…' : ''})`];
  if (ts.isCallExpression(parent) && parent.expression === node) return [`${text}()`];
  return [text];
}

/** False for names of members, keys and types, and for declarations. */
function isExpressionUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent) || ts.isTypeQueryNode(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isExpressionWithTypeArguments(parent))
    return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  return !(ts.isNamedTupleMember(parent) || (isNamedDeclaration(parent) && parent.name === node));
}

function isNamedDeclaration(node: ts.Node): node is ts.Node & { name: ts.Node } {
  return 'name' in node && node.name !== undefined;
}

/** Names that the file binds itself: they hide the globals of the same name. */
function declaredNames(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const binds =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isImportSpecifier(node) ||
      ts.isImportClause(node) ||
      ts.isNamespaceImport(node);
    if (binds && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
