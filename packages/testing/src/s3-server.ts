import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Server {
  url: string;
  /** Keys of objects, and of uploads in parts that are neither complete nor aborted. */
  contents(): string[];
  /** Begins a multipart upload that is never completed. */
  abandon(key: string): void;
  close(): Promise<void>;
}

interface Parts {
  key: string;
  bodies: Map<number, Buffer>;
}

/** The part of S3 that the storage speaks, over HTTP, with the bucket in the path; signatures are not checked. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Parts>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
    const key = decodeURIComponent(pathname.slice(1));
    const body = await bodyOf(request);
    const uploadId = searchParams.get('uploadId');
    const xml = (text: string): void =>
      void response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0"?>${text}`);
    const fail = (status: number, code: string): void => {
      response.statusCode = status;
      xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    };
    switch (request.method) {
      case 'POST':
        if (searchParams.has('uploads')) {
          const id = randomUUID();
          uploads.set(id, { key, bodies: new Map() });
          const started = `<Key>${key}</Key><UploadId>${id}</UploadId>`;
          return xml(`<InitiateMultipartUploadResult>${started}</InitiateMultipartUploadResult>`);
        }
        return complete(uploadId ?? '', body.toString())
          ? xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`)
          : fail(404, 'NoSuchUpload');
      case 'PUT': {
        const upload = uploads.get(uploadId ?? '');
        if (uploadId !== null && !upload) return fail(404, 'NoSuchUpload');
        if (upload) upload.bodies.set(Number(searchParams.get('partNumber')), body);
        else objects.set(key, body);
        return void response.setHeader('etag', `"${body.length}"`).end();
      }
      case 'GET':
        if (searchParams.has('uploads')) return xml(listing(searchParams.get('prefix') ?? ''));
        if (searchParams.has('list-type')) return xml(objectsBelow(searchParams.get('prefix') ?? ''));
        return give(objects.get(key), request.headers.range, response, fail);
      case 'DELETE':
        if (uploadId === null) objects.delete(key);
        else uploads.delete(uploadId);
        response.statusCode = 204;
        return void response.end();
      default:
        return fail(405, 'MethodNotAllowed');
    }
  };

  const complete = (id: string, order: string): boolean => {
    const upload = uploads.get(id);
    if (!upload) return false;
    const numbers = [...order.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number));
    objects.set(upload.key, Buffer.concat(numbers.map((number) => upload.bodies.get(number) ?? Buffer.alloc(0))));
    return uploads.delete(id);
  };

  const listing = (prefix: string): string => {
    const found = [...uploads]
      .map(([id, { key }]) => ({ id, key: key.slice(key.indexOf('/') + 1) }))
      .filter(({ key }) => key.startsWith(prefix));
    const listed = found.map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
    return `<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`;
  };

  const objectsBelow = (prefix: string): string => {
    const keys = [...objects.keys()]
      .map((key) => key.slice(key.indexOf('/') + 1))
      .filter((key) => key.startsWith(prefix));
    const listed = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`);
    return `<ListBucketResult>${listed.join('')}</ListBucketResult>`;
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    contents: () => [...objects.keys(), ...[...uploads.values()].map(({ key }) => key)],
    abandon: (key) => void uploads.set(randomUUID(), { key, bodies: new Map([[1, Buffer.alloc(1)]]) }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function give(
  object: Buffer | undefined,
  range: string | undefined,
  response: ServerResponse,
  fail: (status: number, code: string) => void,
): void {
  if (!object) return fail(404, 'NoSuchKey');
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined) return void response.end(object);
  if (Number(from) >= object.length) return fail(416, 'InvalidRange');
  const end = to === '' ? object.length : Math.min(object.length, Number(to) + 1);
  response.statusCode = 206;
  response
    .setHeader('content-range', `bytes ${from}-${end - 1}/${object.length}`)
    .end(object.subarray(Number(from), end));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
