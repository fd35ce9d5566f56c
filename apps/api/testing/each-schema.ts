import type { OpenApiDocument } from '../src/http/openapi';

/** A schema of a document, or a reference to one. */
export interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  format?: string;
  maximum?: number;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  examples?: unknown[];
  default?: unknown;
}

const mapsOfSchemas = ['properties', 'patternProperties'];
const partsOfSchemas = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

/** Calls `visit` with each schema of a document, nested ones included, and its place. */
export function eachSchema(document: OpenApiDocument, visit: (schema: SchemaNode, at: string) => void): void {
  const visitSchema = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if (Array.isArray(schema)) return schema.forEach((one, index) => visitSchema(one, `${at}/${index}`));
    visit(schema, at);
    for (const [key, part] of Object.entries(schema)) {
      if (partsOfSchemas.includes(key)) visitSchema(part, `${at}/${key}`);
      if (mapsOfSchemas.includes(key)) visitMap(part, `${at}/${key}`);
    }
  };
  const visitMap = (map: unknown, at: string): void => {
    for (const [name, schema] of Object.entries(map as object)) visitSchema(schema, `${at}/${name}`);
  };
  const search = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      if (key === 'schema') visitSchema(child, `${at}/${key}`);
      else if (key !== 'example') search(child, `${at}/${key}`);
    }
  };
  const { schemas, ...others } = document.components;
  visitMap(schemas, 'components/schemas');
  search(others, 'components');
  search(document.paths, 'paths');
}
