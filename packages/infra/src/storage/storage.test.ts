import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { startS3Server, type S3Server } from '@tieout/testing';
import { createStorage, ObjectMissingError, type Storage } from '.';

let directory: string;
let server: S3Server;
const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

beforeAll(async () => {
  Object.assign(process.env, credentials);
  directory = await mkdtemp(path.join(tmpdir(), 'tieout-storage-'));
  server = await startS3Server();
});

afterAll(async () => {
  for (const name of Object.keys(credentials)) delete process.env[name];
  await rm(directory, { recursive: true });
  await server.close();
});

/** Lists the objects of a storage, including unfinished ones. */
interface Place {
  open(): Storage;
  contents(): Promise<string[]>;
}

const places: Record<string, Place> = {
  'a directory': {
    open: () => createStorage(`file:${directory}`),
    contents: async () => {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => path.relative(directory, path.join(parentPath, name)));
    },
  },
  'a bucket': {
    open: () => createStorage(`s3://bucket/prefix?region=eu-central-1&endpoint=${encodeURIComponent(server.url)}`),
    contents: () => Promise.resolve(server.contents().map((name) => name.replace('bucket/prefix/', ''))),
  },
};

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** In pieces, as a request brings it. */
const inPieces = (content: Buffer): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < content.length; at += 60_000) yield content.subarray(at, at + 60_000);
    })(),
  );

describe.each(Object.keys(places))('%s', (name) => {
  const { open, contents } = places[name] as Place;
  let storage: Storage;
  beforeEach(() => {
    storage = open();
  });
  afterEach(async () => {
    storage.close();
    expect(await contents()).toEqual([]);
  });

  test.each([0, 1, 5 << 20, 20 << 20])('returns the %i bytes that it stored, and their digest', async (size) => {
    const content = randomBytes(size);
    const stored = await storage.put('tenant/file', inPieces(content));
    expect(stored).toEqual({ sizeBytes: size, sha256: createHash('sha256').update(content).digest() });
    expect((await bytesOf(await storage.open('tenant/file'))).equals(content)).toBe(true);
    await storage.delete('tenant/file');
  });

  test.each([
    [0, undefined, '0123456789'],
    [4, undefined, '456789'],
    [4, 7, '456'],
    [8, 100, '89'],
    [10, undefined, ''],
    [5, 5, ''],
  ])('opened from %i to %p it gives %j', async (start, end, expected) => {
    await storage.put('tenant/digits', inPieces(Buffer.from('0123456789')));
    expect((await bytesOf(await storage.open('tenant/digits', start, end))).toString()).toBe(expected);
    await storage.delete('tenant/digits');
  });

  test.each([1 << 10, 20 << 20])('a source of %i bytes that fails leaves nothing', async (size) => {
    const source = Readable.from(
      (function* () {
        for (let sent = 0; sent < size; sent += 1 << 10) yield Buffer.alloc(1 << 10);
        throw new Error('cut off');
      })(),
    );
    await expect(storage.put('tenant/cut', source)).rejects.toThrow('cut off');
    await expect(storage.open('tenant/cut')).rejects.toThrow(ObjectMissingError);
  });

  test.each([1 << 10, 20 << 20])(
    'a source beyond the limit of %i bytes is refused and leaves nothing',
    async (maxBytes) => {
      const put = storage.put('tenant/large', inPieces(Buffer.alloc(maxBytes + 1)), { maxBytes });
      await expect(put).rejects.toMatchObject({ code: 'body_too_large' });
      await expect(storage.open('tenant/large')).rejects.toThrow(ObjectMissingError);
    },
  );

  test('deleting a directory removes all that lies below it, and nothing beside it', async () => {
    for (const key of ['tenant/one', 'tenant/two', 'tenant-2/one'])
      await storage.put(key, inPieces(Buffer.from('content')));
    await storage.deleteAll('tenant');
    expect(await contents()).toEqual(['tenant-2/one']);
    await storage.deleteAll('tenant-2');
    await expect(storage.deleteAll('unknown')).resolves.toBeUndefined();
  });

  test('deleting a missing object is not a failure', async () => {
    await expect(storage.delete('tenant/unknown')).resolves.toBeUndefined();
  });
});

test('no other user of the machine can read what is stored in a directory', async () => {
  const nested = path.join(directory, 'files');
  const storage = createStorage(`file:${nested}`);
  await storage.put('tenant/file', inPieces(Buffer.from('private')));
  const modes = await Promise.all(
    ['', 'tenant', 'tenant/file'].map(async (name) => (await stat(path.join(nested, name))).mode & 0o077),
  );
  expect(modes).toEqual([0, 0, 0]);
  await rm(nested, { recursive: true });
});

/** A path that the kernel protects even from root. */
const heldByLinux = process.platform === 'linux' ? test : test.skip;

heldByLinux('what cannot be deleted fails with the cause', async () => {
  const storage = createStorage('file:/proc/self');
  await expect(storage.delete('status')).rejects.toMatchObject({ code: 'EPERM' });
});

test('deleting discards the parts of a killed upload', async () => {
  server.abandon('bucket/prefix/tenant/killed');
  expect(server.contents()).toHaveLength(1);
  const storage = (places['a bucket'] as Place).open();
  await storage.delete('tenant/killed');
  server.abandon('bucket/prefix/tenant/killed');
  await storage.deleteAll('tenant');
  storage.close();
  expect(server.contents()).toEqual([]);
});

test.each(['http://host/bucket', 's3:///prefix'])('%s names no storage', (url) => {
  expect(() => createStorage(url)).toThrow('STORAGE_URL');
});
