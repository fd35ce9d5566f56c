import fs from 'node:fs';
import path from 'node:path';
import { inRoot, root } from '../../tools/paths.mjs';

/** Reads `.env` of the checkout, if there is one; what the environment says already wins. */
export function loadEnvFile() {
  const file = inRoot('.env');
  if (fs.existsSync(file)) process.loadEnvFile(file);
}

const setting = (name) => process.env[name]?.trim() || undefined;

/**
 * The url of a store that a setting names; its sslmode means what it means to the services
 * (packages/infra/src/process/store-url.ts).
 */
export function storeUrl(name) {
  const url = setting(name);
  if (/^(postgres(ql)?|rediss?):\/\/([/?]|$)/.test(url ?? '') && !/[?&]host=[^&]/.test(url))
    throw new Error(`${name} names no host`);
  const hasMode = /[?&]sslmode=(prefer|require|verify-ca|verify-full)\b/.test(url ?? '');
  return hasMode && !url.includes('uselibpqcompat') ? url.replace('?', '?uselibpqcompat=true&') : url;
}

/** The settings of the one-command start; empty variables count as absent. */
export function readSettings() {
  return {
    dataDirectory: path.resolve(root, setting('DATA_DIR') ?? '.data'),
    databaseUrl: storeUrl('DATABASE_URL'),
    migrationUrl: storeUrl('MIGRATION_DATABASE_URL'),
    queueUrl: storeUrl('QUEUE_URL'),
    storageUrl: setting('STORAGE_URL'),
    port: setting('PORT'),
    dashboardPort: setting('DASHBOARD_PORT'),
    host: setting('HOST') ?? '127.0.0.1',
    platformKey: setting('PLATFORM_API_KEY'),
    previousPlatformKey: setting('PLATFORM_API_KEY_PREVIOUS'),
    secretsKey: setting('SECRETS_KEY'),
    openFinanceCredentials: setting('OPENFINANCE_CREDENTIALS'),
    dashboardUser: setting('DASHBOARD_USER') ?? 'oncall',
    dashboardPassword: setting('DASHBOARD_PASSWORD'),
  };
}

const secretsKeyForm = /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;

/** Refuses secrets that the services would refuse: better at once than after everything was built. */
export function checkSecrets({ platformKey, previousPlatformKey, dashboardPassword, secretsKey }) {
  const shortest = (name, value, length) => {
    if (value !== undefined && value.length < length) throw new Error(`${name} is shorter than ${length} characters`);
  };
  shortest('PLATFORM_API_KEY', platformKey, 32);
  shortest('PLATFORM_API_KEY_PREVIOUS', previousPlatformKey, 32);
  shortest('DASHBOARD_PASSWORD', dashboardPassword, 12);
  if (secretsKey !== undefined && !secretsKey.split(',').every((key) => secretsKeyForm.test(key.trim()))) {
    throw new Error('SECRETS_KEY is not 32 bytes in base64 or hex');
  }
}

/** A small JSON file that is either the old or the new one, never half of it. */
export function jsonFile(file) {
  return {
    read: () => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null),
    write(value) {
      fs.writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
      fs.renameSync(`${file}.new`, file);
    },
    remove: () => fs.rmSync(file, { force: true }),
  };
}

/**
 * Finds the database and the queues: those of the environment, else those of a Tieout that runs here. Migrations may
 * have their own user.
 */
export function runningPlaces() {
  const settings = readSettings();
  const running = jsonFile(path.join(settings.dataDirectory, 'runtime.json')).read();
  const databaseUrl = settings.databaseUrl ?? running?.databaseUrl;
  if (!databaseUrl) throw new Error('Set DATABASE_URL (and QUEUE_URL), or start Tieout: npm start');
  const here = running?.databaseUrl === databaseUrl ? running : undefined;
  return {
    databaseUrl,
    migrationUrl: settings.migrationUrl ?? here?.migrationUrl ?? databaseUrl,
    queues: { url: settings.queueUrl ?? here?.queueUrl ?? databaseUrl, prefix: process.env.QUEUE_PREFIX || 'tieout' },
  };
}
