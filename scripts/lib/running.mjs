import path from 'node:path';
import { jsonFile, readSettings } from './settings.mjs';

/** Where database and queues are: as the environment says, else those of a Tieout that runs here. */
export function runningPlaces() {
  const settings = readSettings();
  const running = jsonFile(path.join(settings.dataDirectory, 'runtime.json')).read();
  const databaseUrl = settings.databaseUrl ?? running?.databaseUrl;
  if (!databaseUrl) throw new Error('Set DATABASE_URL (and QUEUE_URL), or start Tieout: npm start');
  const runningQueues = running?.databaseUrl === databaseUrl ? running.queueUrl : undefined;
  return {
    databaseUrl,
    queues: { url: settings.queueUrl ?? runningQueues ?? databaseUrl, prefix: process.env.QUEUE_PREFIX || 'tieout' },
  };
}
