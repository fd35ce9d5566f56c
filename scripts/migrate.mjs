import { runMain } from '../tools/main.mjs';
import { migrate } from '../tools/migrations.mjs';
import { loadEnvFile, runningPlaces } from './lib/settings.mjs';

await runMain(async () => {
  loadEnvFile();
  const { databaseUrl, queues } = runningPlaces();
  const names = await migrate(databaseUrl, queues.url);
  console.log(names.length === 0 ? 'The database is up to date.' : names.map((name) => `Applied ${name}`).join('\n'));
});
