import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLogger, createOutboundClient, type OutboundClient } from '@tieout/infra';
import { startHttpServer, type TestHttpServer } from '@tieout/testing';
import type { OpenFinanceProvider } from '../provider';
import { createHttpProvider } from './http-provider';

const page = readFileSync(path.join(__dirname, '../../../../../../docs/reference/open-finance.md'), 'utf8');
const section = page.slice(page.indexOf('\n## Connect a provider'));
const examples = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text]) => JSON.parse(text as string) as { id?: string },
);

let server: TestHttpServer;
let outbound: OutboundClient;
let provider: OpenFinanceProvider;
let answer: object;

beforeAll(async () => {
  server = await startHttpServer((_request, response) => void response.end(JSON.stringify(answer)));
  outbound = createOutboundClient({ allowedPorts: [], allowCidrs: [], origins: [server.origin] });
  provider = createHttpProvider({
    base: { origin: server.origin, prefix: '' },
    credential: undefined,
    outbound,
    timeoutMs: 10_000,
    logger: createLogger('test', 'silent'),
  });
});
afterAll(async () => {
  await outbound.close();
  await server.stop();
});

const example = (index: number): { id?: string } => examples[index] ?? {};
const inList = (index: number): object => ({ results: [example(index)] });

/** The answers of a provider that the page shows, in its order. */
const reads: [what: string, answer: () => object, read: () => Promise<unknown>][] = [
  ['a list of connectors', () => example(0), () => provider.listConnectors()],
  ['an account', () => inList(1), () => provider.listAccounts('item')],
  ['a transaction', () => inList(2), () => provider.listAccountTransactions('item', 'a1')],
  ['a credit card', () => inList(3), () => provider.listCreditCards('item')],
  ['a transaction of a card', () => inList(4), () => provider.listCardTransactions('item', 'c1')],
  ['an investment', () => inList(5), () => provider.listInvestments('item')],
  ['a transaction of an investment', () => inList(6), () => provider.listInvestmentTransactions('item', 'i1')],
];

test.each(reads)('the page’s example of %s is complete', async (_what, given, read) => {
  answer = given();
  expect(await read()).toHaveLength(1);
});

test('the page’s example of an item is complete', async () => {
  answer = example(7);
  expect(await provider.getItem('item')).toMatchObject({ status: 'WAITING_USER_INPUT', parameter: { name: 'token' } });
});

test('every example is read by a test', () => {
  expect(examples).toHaveLength(8);
});

test.each(reads.slice(1).map(([what, given, read], index) => [what, given, read, index + 1] as const))(
  'every field in the example of %s is read',
  async (_what, _given, read, index) => {
    for (const field of Object.keys(example(index))) {
      answer = { results: [{ ...example(index), [field]: undefined }] };
      const isNeeded = await read().then(
        () => false,
        () => true,
      );
      expect([field, isNeeded]).toEqual([field, true]);
    }
  },
);
