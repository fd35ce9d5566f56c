import { serve, type AnsweringServer } from '../../../client/testing/server';
import { runCommandIn, type CommandRun } from '../../testing/run';

const run = (url: string, ...args: string[]): Promise<CommandRun> =>
  runCommandIn({ TIEOUT_URL: url, TIEOUT_KEY: 'k', TIEOUT_PROFILES: '/none.json' }, ...args);

describe('a service that starts again', () => {
  let service: AnsweringServer;

  /** It answers as a proxy before it does: seven times that it is away. */
  beforeEach(async () => {
    const away = { status: 503, headers: { 'retry-after': '0' } };
    service = await serve(...Array.from({ length: 7 }, () => away), { json: { items: [] } });
  });

  afterEach(() => service.close());

  test.each([
    ['which is said once', [], /^tieout: http:\S+ answered 503; trying again, Ctrl-C ends it\n$/],
    ['which is not said beside JSON', ['--json'], /^$/],
  ])('is waited for, %s', async (_what, args, told) => {
    const { code, err } = await run(service.url, 'datasets', ...args);
    expect([code, err]).toEqual([0, expect.stringMatching(told)]);
  });

  test('is not waited for by the status', async () => {
    const { code } = await run(service.url, 'status');
    expect([code, service.received.length]).toEqual([2, 2]);
  });
});

test('without a service the address is named', async () => {
  const { code, err } = await run('http://127.0.0.1:9', 'status');
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /\ntieout: No answer from http:\S+: .+[^.]\. Is the service running, and --url its address\?\n$/,
    ),
  ]);
});

test('a server that is not Tieout is told with the option that gives another one', async () => {
  const service = await serve({ status: 404, json: {} });
  const { err } = await run(service.url, 'datasets').finally(service.close);
  expect(err).toMatch(/ is the address right\? Give the address of the service with --url\n$/);
});

test('a refusal and its remedy are two sentences', async () => {
  const json = { status: 'error', code: 'invalid_api_key', message: 'The API key has expired.', request_id: 'r1' };
  const service = await serve({ status: 401, json });
  const { code, err } = await run(service.url, 'datasets').finally(service.close);
  expect([code, err]).toEqual([2, expect.stringContaining('The API key has expired. The key is unknown')]);
});

test('names that others have given send no commands to a terminal', async () => {
  const items = [{ name: 'red \u001b[31m and \u202ereversed', version: 1, engine: 'jsonata', id: 'r1' }];
  const service = await serve({ json: { items } });
  const { out } = await run(service.url, 'rules', 'list').finally(service.close);
  expect(out.split('\n')[1]).toMatch(/^red {2}\[31m and {2}reversed +1 {2}jsonata {2}r1$/);
});
