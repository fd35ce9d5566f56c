import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isNode, isScalar, isSeq, parseDocument, Scalar, visit, type Node } from 'yaml';
import type { RuleFile } from './rule-file';
import { inOrderOfSchema } from './schema-faults';

/** Longer expressions are blocks of text. */
const maxPlainExpression = 60;

/** Writes a rule set as YAML, with its long expressions as blocks, in the order of the schema. */
export function writeRules(rules: RuleFile): string {
  const document = new Document(inOrderOfSchema(rules));
  styleTexts(document);
  return document.toString({ lineWidth: 0 });
}

/** Writes a rule set into the YAML of an earlier one; unchanged parts keep comments, order and style. */
export function rewriteRules(before: string, rules: RuleFile): string {
  const document = parseDocument(before);
  if (document.errors.length > 0 || !isMap(document.contents)) return writeRules(rules);
  document.contents = merged(document, document.contents, inOrderOfSchema(rules)) as typeof document.contents;
  return document.toString({ lineWidth: 0 });
}

function merged(document: Document, node: unknown, value: unknown): Node {
  if (isNode(node) && isDeepStrictEqual(node.toJS(document), value)) return node;
  if (isMap(node) && isObject(value)) {
    node.items = node.items.filter(({ key }) => Object.hasOwn(value, textOfKey(key)));
    for (const [name, member] of Object.entries(value)) node.set(name, merged(document, node.get(name, true), member));
    return node;
  }
  if (isSeq(node) && Array.isArray(value)) {
    node.items = value.map((item, at) => merged(document, node.get(at, true), item));
    return node;
  }
  const made = document.createNode(value);
  styleTexts(made);
  if (isScalar(node) && isScalar(made) && node.comment) made.comment = node.comment;
  if (isNode(node) && node.commentBefore) made.commentBefore = node.commentBefore;
  return made;
}

const textOfKey = (key: unknown): string => String(isScalar(key) ? key.value : key);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function styleTexts(node: Node | Document): void {
  visit(node, {
    Scalar: (key, scalar) => {
      if (key === 'key' || typeof scalar.value !== 'string') return;
      const { value } = scalar;
      if (!value.includes('\n') && value.length <= maxPlainExpression) return;
      // A block cannot hold every character, and white space at its beginning is not read as it was.
      scalar.type = /[^\n\t\x20-\x7e\u00a1-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|^\s/u.test(value)
        ? Scalar.QUOTE_DOUBLE
        : Scalar.BLOCK_LITERAL;
    },
  });
}
