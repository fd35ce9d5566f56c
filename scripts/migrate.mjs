import { runMain } from '../tools/main.mjs';
import { migrate } from '../tools/migrations.mjs';
import { loadEnvFile, runningPlaces } from './lib/settings.mjs';

await runMain(async () => {
  loadEnvFile();
  const { databaseUrl, migrationUrl, queues } = runningPlaces();
  // Queues in the same database belong to the same owner as its tables.
  const names = await migrate(migrationUrl, queues.url === databaseUrl ? migrationUrl : queues.url);
  console.log(names.length === 0 ? 'The database is up to date.' : names.map((name) => `Applied ${name}`).join('\n'));
});
