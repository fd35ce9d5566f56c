import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { inRoot } from '../../tools/paths.mjs';

const schemaFile = inRoot('prisma', 'schema.prisma');
const migrationsDirectory = inRoot('prisma', 'migrations');

/**
 * PostgreSQL's internal one-byte "char", which the stock adapter cannot read and the engine's catalog queries return.
 */
const charOid = 18;
const textOid = 25;

/**
 * A pool whose results pass "char" columns as text; `charColumns` remembers which they were.
 */
function catalogPool(url) {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const charColumns = new WeakMap();
  const query = pool.query.bind(pool);
  pool.query = async (...args) => {
    const answer = await query(...args);
    for (const result of Array.isArray(answer) ? answer : [answer]) {
      const found = (result.fields ?? []).flatMap((field, index) => (field.dataTypeID === charOid ? [index] : []));
      for (const index of found) result.fields[index].dataTypeID = textOid;
      if (found.length > 0) charColumns.set(result.rows, found);
    }
    return answer;
  };
  return { pool, charColumns };
}

async function openAdapter(url, onClose = async () => undefined) {
  const { pool, charColumns } = catalogPool(url);
  const adapter = await new PrismaPg(pool).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  // The stock adapter cuts scripts at every semicolon, also inside function bodies.
  adapter.executeScript = async (script) => {
    await pool.query(script);
  };
  adapter.dispose = async () => {
    await pool.end();
    await onClose();
  };
  return adapter;
}

/** The stock adapter would replay migrations in the main database; here they run in their own database. */
async function openShadow(url) {
  const name = `shadow_${crypto.randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database "${name}"`);
  const shadow = new URL(url);
  shadow.pathname = `/${name}`;
  return openAdapter(shadow.href, async () => {
    await admin.query(`drop database "${name}" with (force)`);
    await admin.end();
  });
}

const adapterFactory = (url) =>
  bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => openAdapter(url),
    connectToShadowDb: () => openShadow(url),
  });

async function loadEngine(url, schema) {
  globalThis.PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message) {
      throw new Error(`The schema engine failed: ${message}`);
    },
  };
  const location = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = fs.readFileSync(path.join(path.dirname(location), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine.new({ datamodels: [[schemaFile, schema]] }, () => undefined, adapterFactory(url));
}

function migrationFiles() {
  const lock = path.join(migrationsDirectory, 'migration_lock.toml');
  const folders = fs.existsSync(migrationsDirectory)
    ? fs.readdirSync(migrationsDirectory, { withFileTypes: true })
    : [];
  return {
    baseDir: migrationsDirectory,
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: fs.existsSync(lock) ? fs.readFileSync(lock, 'utf8') : null },
    migrationDirectories: folders
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()
      .map((name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: fs.readFileSync(path.join(migrationsDirectory, name, 'migration.sql'), 'utf8') },
        },
      })),
  };
}

/**
 * Compares the migrations with the schema.
 *
 * @param {string} url A server on which databases may be made and dropped.
 * @returns {Promise<{ differs: boolean, script: string, summary: string }>}
 */
export async function diffMigrationsToSchema(url) {
  const content = fs.readFileSync(schemaFile, 'utf8');
  const engine = await loadEngine(url, content);
  const diff = (script) =>
    engine.diff({
      from: { tag: 'migrations', ...migrationFiles() },
      to: { tag: 'schemaDatamodel', files: [{ path: schemaFile, content }] },
      script,
      shadowDatabaseUrl: null,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
  const summary = await diff(false);
  const differs = summary.exitCode === 2;
  const script = differs ? ((await diff(true)).stdout ?? '') : '';
  return { differs, script, summary: (summary.stdout ?? '').trim() };
}
