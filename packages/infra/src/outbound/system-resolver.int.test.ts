import { withContext } from '../kernel/logger';
import { createSystemResolver, type SystemResolver } from './system-resolver';

/**
 * Replaces the system's resolver: names that begin with "tarpit" never get an answer, "nowhere" does not exist, "crash"
 * ends the process; the address of all others ends with the number of lookups so far.
 */
const program = `
  let asked = 0;
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, host }) => {
    asked++;
    if (host.startsWith('crash')) process.exit(1);
    if (host.startsWith('nowhere')) process.send({ id, code: 'ENOTFOUND' });
    else if (!host.startsWith('tarpit')) process.send({ id, addresses: ['192.0.2.' + asked] });
  });
`;

const never = new AbortController().signal;
let resolver: SystemResolver;
beforeEach(() => {
  resolver = createSystemResolver({ program });
});
afterEach(() => resolver.close());

const as = (tenantId: string, host: string, signal = never): Promise<readonly string[]> =>
  withContext({ tenantId }, () => resolver.resolve(host, signal));

/** Starts lookups that end with the resolver. */
function tarpit(tenantId: string, count: number): void {
  for (let i = 0; i < count; i++)
    as(tenantId, `tarpit-${i}.${tenantId.replaceAll(' ', '-')}.test`).catch(() => undefined);
}

test('a name that is in the hosts file is found there', async () => {
  const system = createSystemResolver();
  const addresses = await system.resolve('localhost', never);
  system.close();
  expect(addresses).toEqual(expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]));
});

test('a name without an address is refused with the code of the lookup', async () => {
  await expect(resolver.resolve('nowhere.test', never)).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('lookups of one tenant that never end delay neither another tenant nor other work', async () => {
  tarpit('stuck', 1_000);
  expect(await as('other', 'receiver.test')).toHaveLength(1);
  expect(await resolver.resolve('receiver-of-nobody.test', never)).toHaveLength(1);
});

test('lookups of many tenants that never end delay neither', async () => {
  for (let i = 0; i < 75; i++) tarpit(`stuck ${i}`, 10);
  expect(await as('other', 'receiver.test')).toHaveLength(1);
});

test('a tenant gets four lookups at a time', async () => {
  tarpit('stuck', 10);
  expect(await as('other', 'receiver.test')).toEqual(['192.0.2.5']);
});

test('a name that is being looked up is not looked up again', async () => {
  const answers = await Promise.all([as('first', 'a.test'), as('second', 'a.test'), as('first', 'b.test')]);
  expect(answers.flat()).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2']);
});

test('an aborted lookup is not started', async () => {
  const given = new AbortController();
  void as('tenant', 'a.test');
  tarpit('tenant', 3);
  void as('tenant', 'late.test', given.signal);
  given.abort();
  // Meanwhile a.test is answered: one of the four is free.
  await as('other', 'b.test');
  expect(await as('tenant', 'c.test')).toEqual(['192.0.2.6']);
});

test('when the process ends, its lookups fail, and the next one starts another process', async () => {
  const stuck = resolver.resolve('tarpit.test', never);
  await expect(resolver.resolve('crash.test', never)).rejects.toMatchObject({ code: 'the process for lookups ended' });
  await expect(stuck).rejects.toThrow('lookup of tarpit.test failed');
  expect(await resolver.resolve('receiver.test', never)).toEqual(['192.0.2.1']);
});
