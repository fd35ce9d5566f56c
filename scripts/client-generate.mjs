import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from './build.mjs';
import { runMain } from '../tools/main.mjs';
import { inRoot } from '../tools/paths.mjs';

const directory = inRoot('packages', 'client', 'src', 'generated');
const ofCommandLine = inRoot('packages', 'cli', 'src', 'generated');
const header = '// Generated from the OpenAPI document by npm run client:generate.';
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Compiles the API and what it needs: the client may not compile before its sources are written. */
async function buildApi() {
  await generate();
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [tsc, '-b', inRoot('apps', 'api')]);
}

/** The document that the API serves as /openapi.json. */
function openApiDocument() {
  const fromApi = createRequire(inRoot('apps', 'api', 'package.json'));
  const { featureRoutes } = fromApi('./dist/routes');
  const { apiInfo, serviceRoutes } = fromApi('./dist/routes/service/routes');
  const { createOpenApiDocument } = fromApi('./dist/http/openapi');
  return createOpenApiDocument([...featureRoutes, ...serviceRoutes(featureRoutes)], apiInfo);
}

/** The types of all operations and schemas of the document. */
async function apiTypes(document) {
  return `${header}\n\n${astToString(await openapiTypescript(document, { defaultNonNullable: false }))}`;
}

const successOf = ({ responses }) => Object.entries(responses).find(([status]) => status.startsWith('2'))[1];

/** Returns how the client reads an answer. */
function answerKind(operation) {
  const types = Object.keys(successOf(operation).content ?? {});
  if (types.length === 0) return 'none';
  return types.every((type) => type === 'application/json') ? 'json' : 'response';
}

function bodyKind({ requestBody }) {
  const types = Object.keys(requestBody?.content ?? {});
  if (types.length === 0) return 'none';
  return types.includes('multipart/form-data') ? 'form' : types.includes('application/x-ndjson') ? 'ndjson' : 'json';
}

const isIdempotent = ({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key');

const comment = ({ summary, description }) =>
  [
    '  /**',
    ...[summary, description ?? []]
      .flat()
      .join('\n\n')
      .split('\n')
      .map((line) => `   * ${line}`.trimEnd()),
    '   */',
  ]
    .join('\n')
    .replaceAll('*/ ', '* / ');

/** One method for each operation, with the text of the document, and how each is sent. */
function operationMethods({ paths }) {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  );
  const named = all.map(
    ({ operation }) => `${comment(operation)}\n  ${operation.operationId}: ApiMethod<'${operation.operationId}'>;`,
  );
  const rows = all.map(({ path, method, operation }) => {
    const row = [method, path, bodyKind(operation), answerKind(operation), isIdempotent(operation)];
    return `  ${operation.operationId}: ${JSON.stringify(row).replaceAll('"', "'").replaceAll(',', ', ')},`;
  });
  return [
    header,
    "import type { ApiMethod, OperationName } from '../operation';",
    '',
    '/** Every operation of the API. */',
    'export interface Operations {',
    ...named,
    '}',
    '',
    "export type BodyKind = 'none' | 'json' | 'ndjson' | 'form';",
    "export type AnswerKind = 'none' | 'json' | 'response';",
    '',
    '/** Method, path, body, answer, and whether it honours an Idempotency-Key. */',
    'export const operationTable: Record<OperationName, readonly [string, string, BodyKind, AnswerKind, boolean]> = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}

/** The schema of a file that holds a rule set: what a request sends, with names of datasets in place of ids. */
function ruleSetSchema({ paths, components }) {
  const body = paths['/v1/rule-sets'].post.requestBody.content['application/json'].schema;
  const { name, engine, jsonataExpr, params, logicJson } = components.schemas[body.$ref.split('/').at(-1)].properties;
  const needed = {};
  const collect = (value) => {
    for (const [, id] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (needed[id]) continue;
      needed[id] = components.schemas[id];
      collect(needed[id]);
    }
  };
  collect(params);
  const dataset = (side) => ({ type: 'string', minLength: 1, description: `Name of the ${side} dataset` });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tieout rule set',
    type: 'object',
    additionalProperties: false,
    properties: { name, left: dataset('left'), right: dataset('right'), engine, jsonataExpr, params, logicJson },
    required: ['params'],
    $defs: needed,
  };
  const text = JSON.stringify(schema, null, 2).replaceAll('#/components/schemas/', '#/$defs/');
  const comment = '/** JSON Schema of a file that holds a rule set. */';
  return `${header}\n\n${comment}\nexport const ruleSetSchema: unknown = ${text};\n`;
}

// Writes the generated parts of client and command line; with --check it only says whether they are those of the
// document.
await runMain(async () => {
  await buildApi();
  const document = openApiDocument();
  const sources = [
    [directory, 'api.ts', await apiTypes(document)],
    [directory, 'operations.ts', operationMethods(document)],
    [ofCommandLine, 'rule-set-schema.ts', ruleSetSchema(document)],
  ];
  const isCheck = process.argv.includes('--check');
  for (const [folder, name, text] of sources) {
    const file = path.join(folder, name);
    fs.mkdirSync(folder, { recursive: true });
    const label = path.relative(inRoot(), file);
    if (!isCheck) fs.writeFileSync(file, text);
    else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text)
      throw new Error(`${label} is not that of the OpenAPI document: npm run client:generate`);
    console.log(`${label}: ${text.split('\n').length} lines`);
  }
});
