import { isDatabaseUnavailable } from './errors';

const coded = (code: string): Error => Object.assign(new Error('failed'), { code });

test.each([
  ['a refused connection', coded('ECONNREFUSED')],
  ['a host that cannot be reached', coded('EHOSTUNREACH')],
  ['a shutdown of the server', coded('57P01')],
  ['a primary that has become a standby', coded('25006')],
  ['a disk that is full', coded('53100')],
  ['a pool that waited too long', new Error('timeout exceeded when trying to connect')],
  ['a server that does not answer', new Error('timeout expired')],
  ['a connection that ended in the middle of a transaction', new Error('Connection terminated unexpectedly')],
  ['a statement after that', new Error('Client has encountered a connection error and is not queryable')],
  ['what the ORM wraps', Object.assign(new Error('query failed'), { cause: { originalCode: '57P03' } })],
])('%s: the database is unavailable', (_what, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  ['a duplicate value', coded('23505')],
  ['a programming error', new TypeError('x is not a function')],
  ['nothing', undefined],
])('%s: the database is available', (_what, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
});
