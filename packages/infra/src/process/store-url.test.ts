import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { readStoreUrl } from './store-url';

const directory = mkdtempSync(path.join(tmpdir(), 'tieout-urls-'));
const ca = path.join(directory, 'ca.pem');
writeFileSync(ca, 'a certificate');
afterAll(() => rmSync(directory, { recursive: true }));

test.each([
  'redis://127.0.0.1:6379',
  'rediss://user:p%2Fw@redis.example:6380/3',
  `rediss://redis.example:6380?sslrootcert=${ca}`,
  'redis://redis',
  'redis+cluster://a:7000,b:7001,[::1]:7002',
  'redis+cluster://user:p%40w@a,b',
  `rediss+cluster://:p%2Fw@a:7000?sslrootcert=${ca}`,
  'postgres://u:p%40@h/db',
  'postgresql://u@h:5432/db?application_name=x',
  'postgresql:///db?host=/var/run/postgresql',
  'postgresql://u:p@h/db?sslmode=disable',
  'postgresql://u:p@h/db?sslmode=no-verify',
])('%s is taken as it is', (url) => {
  expect(readStoreUrl(url)).toBe(url);
});

test.each([
  ['redis://:pa/ss@host:6379', /^is not a url: in user and password write \/ as %2F/],
  ['redis://:100%@host:65000', /^is not a url: .* and % as %25$/],
  ['redis://:100%@host', /^is not a url: .* and % as %25$/],
  ['postgresql://u:100%@host/db', /^is not a url/],
  ['redis://:p#w@host:6379', /^is not a url/],
  ['redis://', /^names no host$/],
  ['redis://:6379', /^(names no host|is not a url)/],
  ['rediss://host:99999', /^has a port that is not a number up to 65535$/],
  ['redis://host:notaport', /^has a port that is not a number up to 65535$/],
  ['redis://:p%2Fw@host:notaport/3', /^has a port that is not a number up to 65535$/],
  ['postgresql://u:p%2Fw@[::1]:x/db?sslmode=disable', /^has a port that is not a number up to 65535$/],
  ['redis://user:pa/ss@host', /^is not a url: in user and password/],
  ['postgres://', /^names no host$/],
  ['postgres://?application_name=x', /^names no host$/],
  ['postgresql:///db', /^names no host$/],
  ['postgresql:///db?host=', /^names no host$/],
  [`redis://host?sslrootcert=${ca}`, /^has an sslrootcert, which needs rediss:/],
  ['rediss://host?sslrootcert=/nowhere/ca.pem', /^cannot be used: .*ENOENT/],
  ['redis://host/zero', /^has the database zero, which is not a number/],
  ['postgresql://u:p/w@host/db', /^is not a url/],
  ['redis+cluster://', /^names no host$/],
  ['redis+cluster://a,,b', /^names no host$/],
  ['redis+cluster://a:7000,b:x', /^has a node that is not host:port, with a port up to 65535$/],
  ['redis+cluster://a:0', /^has a node that is not host:port/],
  ['redis+cluster://a:65536', /^has a node that is not host:port/],
  ['redis+cluster://u:p/w@a', /^is not the url of a cluster/],
  ['redis+cluster://u:p%2Fw@a/3', /^is not the url of a cluster/],
  ['redis+cluster://u:100%@a', /^has a user or password with a % that is not %25$/],
  ['redis+cluster://a?natMap=x', /^has the parameter natMap; there is only sslrootcert$/],
  [`redis+cluster://a?sslrootcert=${ca}`, /^has an sslrootcert, which needs rediss\+cluster:/],
  ['rediss+cluster://a?sslrootcert=/nowhere/ca.pem', /^cannot be used: .*ENOENT/],
  [
    'postgresql://u:p@h/db?sslmode=verfy-full',
    /^has the sslmode verfy-full; it must be one of disable, prefer, require/,
  ],
  ['postgresql://u:p@h/db?sslmode=', /^has the sslmode ; it must be one of/],
  ['postgresql://u:p@h/db?sslmode=verify-ca', /^cannot be used: .*sslrootcert/],
  [
    'postgresql://u:p@h/db?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    /^cannot be used: .*ENOENT.*\/nowhere\/ca.pem/,
  ],
])('%s is refused with what to do, without the password', (url, message) => {
  expect(() => readStoreUrl(url)).toThrow(message);
  expect(() => readStoreUrl(url)).toThrow(/^((?!p\/w|pa\/ss).)*$/s);
});

const sslOf = (url: string): unknown => {
  const {
    rejectUnauthorized,
    checkServerIdentity,
    ca: authority,
  } = (new Client({ connectionString: readStoreUrl(url) }) as unknown as { ssl: Record<string, unknown> }).ssl;
  return { verified: rejectUnauthorized !== false, host: checkServerIdentity === undefined, authority };
};

test.each([
  ['prefer', { verified: false, host: true, authority: undefined }],
  ['require', { verified: false, host: true, authority: undefined }],
  [`require&sslrootcert=${ca}`, { verified: true, host: false, authority: 'a certificate' }],
  [`verify-ca&sslrootcert=${ca}`, { verified: true, host: false, authority: 'a certificate' }],
  ['verify-full', { verified: true, host: true, authority: undefined }],
  [`verify-full&sslrootcert=${ca}`, { verified: true, host: true, authority: 'a certificate' }],
])("sslmode=%s means what it means to PostgreSQL's own programs", (mode, meaning) => {
  expect(sslOf(`postgresql://u:p@h/db?sslmode=${mode}`)).toEqual(meaning);
  expect(sslOf(`postgresql://u:p@h/db?application_name=x&sslmode=${mode}`)).toEqual(meaning);
});
