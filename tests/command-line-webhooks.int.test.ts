import { createClient } from '@tieout/client';
import { serve } from '../packages/client/testing/server';
import { runCommandWith, type CommandRun } from '../packages/cli/testing/run';
import { sign } from '../packages/domain/src/webhooks/signature';
import { useCommandLine } from './support/command-line';

const line = useCommandLine();
const { run, logIn } = line;

const secretsIn = (err: string): { secret: string; signingSecret: string } => {
  const [, secret = '', signingSecret = ''] = /^secret (.+)\nsigningSecret (.+)$/m.exec(err) ?? [];
  return { secret, signingSecret };
};

interface Listening {
  /** Text printed until events can come. */
  err: string;
  interrupt: () => void;
  running: Promise<CommandRun>;
}

async function listening(...args: string[]): Promise<Listening> {
  let interrupt = (): void => undefined;
  let hasStarted = (_err: string): void => undefined;
  const started = new Promise<string>((resolve) => (hasStarted = resolve));
  const running = runCommandWith(
    {
      env: line.env,
      onInterrupt: (stop) => (interrupt = stop),
      onErr: (err) => err.includes('Ready') && hasStarted(err),
    },
    ...['webhooks', 'listen', '--public-url', 'https://hooks.example.com', '--port', '0', ...args],
  );
  const err = await Promise.race([started, running.then((ended) => Promise.reject(new Error(ended.err)))]);
  return { err, interrupt: () => interrupt(), running };
}

/** Runs the command until `work` with its local address and secrets is done. */
async function whileListening(
  work: (address: string, secrets: { secret: string; signingSecret: string }) => Promise<void>,
  ...args: string[]
): Promise<CommandRun> {
  const { err, interrupt, running } = await listening(...args);
  await work(/(http:\S+:\d+)/.exec(err)?.[1] ?? '', secretsIn(err)).finally(interrupt);
  return running;
}

/** Does `work` while the command listens, and waits until the command ends by itself. */
async function untilItEnds(work: () => Promise<unknown>): Promise<CommandRun> {
  const { running } = await listening();
  await work();
  return running;
}

const deliver = async (
  address: string,
  { secret, signingSecret }: { secret: string; signingSecret: string },
): Promise<number> => {
  const body = Buffer.from('{"event":"AUDIT_HEAD","data":{"eventId":"e1","seq":7}}');
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    authorization: secret,
    'webhook-id': 'e1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign([signingSecret], { id: 'e1', timestamp, body }),
  };
  return (await fetch(address, { method: 'POST', headers, body })).status;
};

test('a delivery is verified, shown and forwarded with its headers; the webhook goes at the end', async () => {
  await logIn();
  const local = await serve({ status: 202 });
  const statuses: number[] = [];
  const { code, out } = await whileListening(
    async (address, secrets) => {
      expect((await run('webhooks', 'list')).out).toContain('https://hooks.example.com/tieout-listen');
      statuses.push(await deliver(address, secrets));
      statuses.push(await deliver(address, { ...secrets, signingSecret: 'another' }));
    },
    ...['--json', '--forward-to', local.url],
  );
  await local.close();
  const shown = out.split('\n').filter((line) => line !== '');
  expect(code).toBe(0);
  expect(statuses).toEqual([202, 401]);
  expect(shown.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: 'AUDIT_HEAD', eventId: 'e1', answered: 202, fault: null, body: { data: { seq: 7 } } },
    { event: '', answered: 401, fault: 'is not signed by this webhook, or too old' },
  ]);
  expect(local.received).toMatchObject([{ method: 'POST', headers: { 'webhook-id': 'e1' } }]);
  expect((await run('webhooks', 'list', '--json')).out).toBe('[]\n');
});

test('a receiver that does not answer is told, and the delivery fails', async () => {
  await logIn();
  const { out } = await whileListening(
    async (address, secrets) => expect(await deliver(address, secrets)).toBe(502),
    ...['--forward-to', 'http://127.0.0.1:9/hook'],
  );
  expect(out).toContain('http://127.0.0.1:9/hook does not answer');
});

test('where the key is revoked meanwhile, the command ends and tells the webhook that stays', async () => {
  const { key } = await line.api.newTenant();
  const tieout = createClient({ baseUrl: line.api.url, apiKey: key });
  const { id, key: own } = await tieout.createApiKey({ body: { label: 'local work' } });
  expect((await run('login', '--url', line.api.url, '--key', own)).code).toBe(0);
  const { code, err } = await untilItEnds(() => tieout.revokeApiKey({ path: { id } }));
  expect(code).toBe(2);
  expect(err).toMatch(/The webhook https:\/\/hooks\.example\.com\/tieout-listen could not be removed: .*tieout login/);
  expect(err).toContain('the same webhooks listen, ended with Ctrl-C, removes it');
});

test('where the webhook is removed meanwhile, the command ends and says so', async () => {
  const { key } = await line.api.newTenant();
  const tieout = createClient({ baseUrl: line.api.url, apiKey: key });
  expect((await run('login', '--url', line.api.url, '--key', key)).code).toBe(0);
  const { code, err } = await untilItEnds(async () => {
    const [webhook] = (await tieout.listWebhooks()).data.webhooks;
    await tieout.deleteWebhook({ path: { id: webhook?.id ?? '' } });
  });
  expect([code, err]).toEqual([2, expect.stringContaining('was removed meanwhile: run the command again')]);
});

test.each([
  [['--public-url', 'http://x.example'], '--public-url: "http://x.example" is not an address'],
  [['--public-url', 'https://127.0.0.1'], '--public-url: must name its host'],
  [['--public-url', 'https://x.example', '--forward-to', 'localhost'], '--forward-to'],
  [['--public-url', 'https://x.example', '--port', 'x'], '--port: "x" is not a port'],
  [[], "required option '--public-url <address>' not specified"],
])('%j is refused with its remedy', async (args, message) => {
  await logIn();
  const { code, err } = await run('webhooks', 'listen', '--port', '0', ...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
