import { pipeline, Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { Measured, ObjectMissingError, type Storage } from './storage';

interface S3Location {
  bucket: string;
  /** The prefix of every key: '' or a path that ends with a slash. */
  prefix: string;
  region: string;
  /** The endpoint of a service other than AWS. */
  endpoint?: string;
  /** True when the bucket is in the path of the url instead of its host name. */
  pathStyle: boolean;
}

const partBytes = 8 << 20;
const maxConcurrentParts = 2;

/** Keeps objects in a bucket of S3 or of a compatible service. The environment has the credentials. */
export function s3Storage(location: S3Location): Storage {
  const { bucket: Bucket, prefix } = location;
  let opened: Promise<Connection> | undefined;
  // Loaded at the first use: a process that keeps files in a directory, or none, does not need it.
  const open = (): Promise<Connection> => (opened ??= connect(location));
  return {
    put: async (key, source, { maxBytes = Infinity } = {}) => {
      const { client } = await open();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const measured = new Measured(maxBytes);
      // A failure of either stream ends the other one; the upload below sees it and discards its parts.
      pipeline(source, measured, () => undefined);
      const upload = new Upload({
        client,
        params: { Bucket, Key: prefix + key, Body: measured },
        partSize: partBytes,
        queueSize: maxConcurrentParts,
      });
      try {
        await upload.done();
        return measured.result();
      } catch (error) {
        throw measured.errored ?? error;
      } finally {
        measured.destroy();
      }
    },
    open: async (key, start = 0, end) => {
      const { sdk, client } = await open();
      if (end !== undefined && end <= start) return Readable.from([]);
      const whole = start === 0 && end === undefined;
      const range = whole ? {} : { Range: `bytes=${start}-${end === undefined ? '' : end - 1}` };
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: prefix + key, ...range }));
        // In Node the body is a Node stream.
        return Body as Readable;
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) throw new ObjectMissingError(key, error);
        // The object is shorter than the start of the range.
        if ((error as { name?: unknown }).name === 'InvalidRange') return Readable.from([]);
        throw error;
      }
    },
    delete: async (key) => {
      const { sdk, client } = await open();
      const Key = prefix + key;
      await abortUploads(await open(), { Bucket, Prefix: Key }, (found) => found === Key);
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
    },
    deleteAll: async (directory) => {
      const { sdk, client } = await open();
      const place = { Bucket, Prefix: `${prefix}${directory}/` };
      await abortUploads(await open(), place);
      for (let hasMore = true; hasMore;) {
        const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command(place));
        for (const { Key } of Contents) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
        hasMore = Contents.length > 0;
      }
    },
    close: () => void opened?.then(({ client }) => client.destroy()),
  };
}

interface Connection {
  sdk: typeof Sdk;
  client: Sdk.S3Client;
}

/** Ends uploads in parts that are not complete. */
async function abortUploads(
  { sdk, client }: Connection,
  place: { Bucket: string; Prefix: string },
  isMeant: (key: string | undefined) => boolean = () => true,
): Promise<void> {
  const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand(place));
  for (const { Key, UploadId } of Uploads) {
    if (isMeant(Key)) await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: place.Bucket, Key, UploadId }));
  }
}

async function connect({ region, endpoint, pathStyle }: S3Location): Promise<Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    forcePathStyle: pathStyle,
    // Only AWS supports checksums in trailers; other services refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  return { sdk, client };
}
