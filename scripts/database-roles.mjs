import { runMain } from '../tools/main.mjs';
import { makeRoles } from '../tools/postgres/roles.mjs';
import { loadEnvFile, storeUrl } from './lib/settings.mjs';

const usage = `Usage: ADMIN_DATABASE_URL=… MIGRATION_DATABASE_URL=… DATABASE_URL=… npm run -s db:roles

Makes the users of MIGRATION_DATABASE_URL, who owns the tables, and of DATABASE_URL, as whom the service connects, with
the passwords of the urls. ADMIN_DATABASE_URL names an administrator of the server, and the database. Safe to repeat.`;

await runMain(async () => {
  if (process.argv.includes('--help')) return console.log(usage);
  loadEnvFile();
  const [adminUrl, ownerUrl, serviceUrl] = ['ADMIN_DATABASE_URL', 'MIGRATION_DATABASE_URL', 'DATABASE_URL'].map(
    (name) => {
      const url = storeUrl(name);
      if (!url) throw new Error(`Set ${name}\n\n${usage}`);
      return url;
    },
  );
  await makeRoles({ adminUrl, ownerUrl, serviceUrl });
  console.log('The users of the database are there.');
});
