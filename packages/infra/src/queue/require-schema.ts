import { LATEST_SCHEMA_VERSION, SchemaMigrationRequiredError, assertSchemaCompatibility } from 'bullmq';
import { Client } from 'pg';
import { withDeadline } from '../concurrency/timeouts';
import { isDatabaseUnavailable } from '../db';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { queueBackend, queueSchema, type QueueSettings } from './connection';

const connectTimeoutMs = 10_000;
const answerTimeoutMs = 10_000;

/** Reads the version of BullMQ's tables in a database. @returns undefined when there are none */
async function schemaVersion(url: string): Promise<number | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: 'tieout queue',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // Without a listener a lost connection would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await withDeadline(assertSchemaCompatibility(client, queueSchema), answerTimeoutMs, 'timeout expired');
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return undefined;
    throw error;
  } finally {
    // Not awaited: a server that does not answer does not close the connection either.
    client.end().catch(() => undefined);
  }
}

/**
 * Refuses to work on queues in PostgreSQL whose tables are missing or of an earlier version. A database that does not
 * answer is accepted. Queues in Redis need no tables.
 * @throws Error that names what is missing and the command to run
 */
export async function requireQueueSchema({ url }: QueueSettings, logger: Logger): Promise<void> {
  if (queueBackend(url) === 'redis') return;
  let version: number | undefined;
  try {
    version = await schemaVersion(url);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    logger.warn(
      { reason: messageOf(error) },
      'the database of the queues does not answer: its tables could not be checked',
    );
    return;
  }
  if (version !== undefined && version >= LATEST_SCHEMA_VERSION) return;
  const fault =
    version === undefined
      ? 'lacks their tables'
      : `has their tables in version ${version}, not ${LATEST_SCHEMA_VERSION}`;
  throw new Error(
    `The database of the queues (QUEUE_URL, or DATABASE_URL without one) ${fault}. Run \`npm run db:deploy\` ` +
      '(in a container `node scripts/migrate.mjs`) with the same QUEUE_URL and start again',
  );
}
