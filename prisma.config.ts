import { defineConfig } from 'prisma/config';

// `generate` and `validate` never run the native schema engine, yet the CLI downloads it unless a
// file is named here. The guard by command leaves `prisma migrate` as it is.
if (process.argv.includes('generate') || process.argv.includes('validate')) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://localhost:1/none' },
});
