import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError, newId, type ErrorCode } from '@tieout/infra';
import { reader } from '../http/read';
import type { OpenFinanceProvider, Parameters } from '../provider';
import { createSandboxProvider } from './sandbox-provider';

interface Call {
  ids: readonly string[];
  body: unknown;
  idempotencyKey: string;
}

type Operation = (provider: OpenFinanceProvider, call: Call) => Promise<unknown>;

const maxBodyBytes = 100 * 1024;
const maxRows = 500;

function parametersOf(body: unknown): Parameters | undefined {
  const given = reader(body, '').part('parameters');
  return given === null ? undefined : given.texts();
}

const createItem: Operation = (provider, { body, idempotencyKey }) =>
  provider.createItem({
    connectorId: reader(body, '').text('connectorId'),
    parameters: parametersOf(body) ?? {},
    idempotencyKey,
  });

/** The operations by method and path; `:` matches an id. */
const operations: readonly [method: string, path: string, Operation][] = [
  ['GET', 'connectors', (provider) => provider.listConnectors()],
  ['POST', 'items', createItem],
  ['GET', 'items/:', (provider, { ids: [item = ''] }) => provider.getItem(item)],
  ['DELETE', 'items/:', (provider, { ids: [item = ''] }) => provider.deleteItem(item)],
  [
    'POST',
    'items/:/mfa',
    (provider, { ids: [item = ''], body }) => provider.submitInput(item, parametersOf(body) ?? {}),
  ],
  ['POST', 'items/:/refresh', (provider, { ids: [item = ''], body }) => provider.refresh(item, parametersOf(body))],
  ['GET', 'items/:/accounts', (provider, { ids: [item = ''] }) => provider.listAccounts(item)],
  ['GET', 'items/:/credit-cards', (provider, { ids: [item = ''] }) => provider.listCreditCards(item)],
  ['GET', 'items/:/investments', (provider, { ids: [item = ''] }) => provider.listInvestments(item)],
  [
    'GET',
    'items/:/accounts/:/transactions',
    (provider, { ids: [item = '', of = ''] }) => provider.listAccountTransactions(item, of),
  ],
  [
    'GET',
    'items/:/credit-cards/:/transactions',
    (provider, { ids: [item = '', of = ''] }) => provider.listCardTransactions(item, of),
  ],
  [
    'GET',
    'items/:/investments/:/transactions',
    (provider, { ids: [item = '', of = ''] }) => provider.listInvestmentTransactions(item, of),
  ],
];

/** Returns the ids in a path; null when it does not match. */
function idsIn(segments: readonly string[], pattern: string): string[] | null {
  const expected = pattern.split('/');
  const matches =
    expected.length === segments.length && expected.every((name, index) => name === ':' || name === segments[index]);
  return matches ? segments.filter((_, index) => expected[index] === ':') : null;
}

const statusOf: Partial<Record<ErrorCode, number>> = {
  validation_error: 400,
  provider_rejected: 400,
  // The caller sent a body that does not fit the interface.
  provider_bad_response: 400,
  provider_resource_not_found: 404,
  provider_unavailable: 503,
};

export interface SandboxServerOptions {
  provider?: OpenFinanceProvider;
  /** Bearer token that requests must carry. Default: none. */
  credential?: string;
}

/**
 * Creates a server that serves the sandbox provider by the interface of docs/reference/open-finance.md, at the root.
 */
export function createSandboxServer({
  provider = createSandboxProvider(),
  credential,
}: SandboxServerOptions = {}): http.Server {
  const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    const body = await jsonOf(request);
    if (credential !== undefined && request.headers.authorization !== `Bearer ${credential}`)
      return [401, { code: 'invalid_credential' }];
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const segments = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const found = operations.find(([method, path]) => method === request.method && idsIn(segments, path) !== null);
    if (found === undefined) return [404, { code: 'no_such_operation' }];
    const [method, path, operation] = found;
    const result = await operation(provider, {
      ids: idsIn(segments, path) ?? [],
      body,
      idempotencyKey: headerOf(request, 'idempotency-key') ?? newId(),
    });
    if (result === undefined) return [204, undefined];
    return [
      method === 'POST' && path === 'items' ? 201 : 200,
      Array.isArray(result) ? pageOf(result, url.searchParams) : result,
    ];
  };

  return http.createServer((request, response) => {
    answer(request).then(
      ([status, body]) => send(response, status, body),
      (error: unknown) => send(response, ...failureOf(error)),
    );
  });
}

function failureOf(error: unknown): [status: number, body: unknown] {
  if (error instanceof AppError) return [statusOf[error.code] ?? 500, { code: error.code, message: error.message }];
  return error instanceof URIError ? [404, { code: 'no_such_operation' }] : [500, { code: 'internal_error' }];
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
};

function pageOf(rows: readonly unknown[], query: URLSearchParams): object {
  const limit = Math.min(maxRows, positive(query.get('limit'), maxRows));
  const page = positive(query.get('page'), 1);
  return { results: rows.slice((page - 1) * limit, page * limit), page, total: rows.length };
}

const positive = (text: string | null, otherwise: number): number =>
  text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : otherwise;

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new AppError('validation_error', 'The body is too long');
    chunks.push(chunk);
  }
  if (size === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new AppError('validation_error', 'The body is not JSON');
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) return void response.writeHead(status).end();
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
