import { apiClient } from '../../tools/api-client.mjs';
import { startTestRedis } from '../../tools/redis.mjs';
import { UsageError } from '../command-line.mjs';
import { startService, temporaryDirectory } from '../service.mjs';

/** The default rate limits do not slow these measurements down. */
const settings = {};

async function ownService({ backend }, cleanup, say) {
  const redis = backend === 'redis' ? await startTestRedis() : null;
  if (backend === 'redis' && redis === null) throw new UsageError('--backend redis: no redis-server is installed');
  if (redis) cleanup.add(() => redis.stop());
  const service = await startService({
    directory: temporaryDirectory(cleanup),
    say,
    cleanup,
    queueUrl: redis?.url,
    settings,
  });
  const { key } = await service.client.post('/v1/api-keys', { label: 'load' });
  return {
    url: service.baseUrl,
    headers: { 'x-api-key': key },
    processes: service.processes,
    database: service.database,
  };
}

function runningService(url) {
  const key = process.env.LOAD_API_KEY;
  if (!key) throw new UsageError('--url: set LOAD_API_KEY to an API key of the tenant that is to be used');
  return { url, headers: { 'x-api-key': key }, processes: () => [], database: null };
}

/**
 * The service that is measured.
 *
 * @returns {Promise<{ url: string, headers: Record<string, string>, client: ReturnType<typeof apiClient>, processes: ()
 *   => { name: string, pid: number }[], database: import('pg').Client | null }>}
 */
export async function openTarget(options, cleanup, say) {
  const target = options.url === null ? await ownService(options, cleanup, say) : runningService(options.url);
  return { ...target, client: apiClient({ baseUrl: target.url, headers: target.headers }) };
}
