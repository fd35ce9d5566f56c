import fs from 'node:fs';
import path from 'node:path';
import { runMain } from '../tools/main.mjs';
import { inRoot } from '../tools/paths.mjs';
import { startTestServer } from './lib/test-database.mjs';

const usage = `Usage: npm run db:diff -- <name>     write the next migration from prisma/schema.prisma
       npm run db:diff -- --check    exit with 2 when the migrations do not give the schema`;

function writeMigration(name, script) {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const directory = inRoot('prisma', 'migrations', `${stamp}_${name}`);
  fs.mkdirSync(directory, { recursive: true });
  const file = path.join(directory, 'migration.sql');
  fs.writeFileSync(file, script);
  return path.relative(inRoot(), file);
}

await runMain(async () => {
  const [argument] = process.argv.slice(2);
  const check = argument === '--check';
  if (!check && !/^[a-z][a-z0-9_-]*$/.test(argument ?? '')) throw new Error(usage);
  const server = await startTestServer();
  try {
    const { diffMigrationsToSchema } = await import('./lib/schema-engine.mjs');
    const { differs, script, summary } = await diffMigrationsToSchema(server.url);
    if (!differs) {
      console.log('The migrations give exactly the schema.');
    } else if (check) {
      console.log(`The migrations do not give the schema:\n${summary}`);
      process.exitCode = 2;
    } else {
      console.log(`Wrote ${writeMigration(argument.replaceAll('-', '_'), script)}. Read it before you commit it.`);
    }
  } finally {
    await server.stop();
  }
});
