import fs from 'node:fs';
import { createRequire } from 'node:module';
import { build } from './build.mjs';
import { isMain, runMain } from '../tools/main.mjs';
import { inRoot } from '../tools/paths.mjs';

const file = inRoot('.env.example');
const apps = ['api', 'ingest-worker', 'matching-worker', 'webhook-worker', 'background-worker', 'dashboard', 'mcp'];

const launcherSettings = {
  DATA_DIR: { default: '.data', description: 'Where npm start keeps the database, keys and logs' },
};
const password = (whose) => ({ description: `${whose}, of letters and digits: openssl rand -hex 24` });
const containerSecrets = {
  POSTGRES_PASSWORD: password('docker compose: password of the administrator of PostgreSQL'),
  POSTGRES_OWNER_PASSWORD: password('docker compose: password of the owner of the tables, for migrations and backups'),
  POSTGRES_SERVICE_PASSWORD: password('docker compose: password of the user as whom the service connects'),
  REDIS_PASSWORD: password('docker compose: password of Redis'),
};
const databaseSettings = {
  MIGRATION_DATABASE_URL: {
    description: 'The database as the owner of the tables, for npm run db:deploy and npm start. Default: DATABASE_URL',
  },
  ADMIN_DATABASE_URL: { description: 'The database as an administrator of the server, for npm run db:roles' },
};
const containerSettings = {
  TLS_DOMAIN: { default: 'localhost', description: 'Profile tls: the name by which callers reach the API' },
  PROXY_ADDRESS: {
    default: '10.255.255.254',
    description: 'Profile tls: the address of the proxy, which TRUSTED_PROXIES is by default',
  },
  PROXY_SUBNET: { default: '10.255.255.0/24', description: 'The range of that address: free in your networks' },
  BACKUP_HOURS: { default: 24, description: 'Profile backup: hours between two backups, a whole number from 1' },
  BACKUP_KEEP: { default: 14, description: 'Profile backup: number of backups that stay, from 1' },
  POSTGRES_MEMORY: { default: '4g', description: 'Memory limits of containers' },
  API_MEMORY: { default: '2g' },
  INGEST_MEMORY: { default: '2g' },
  MATCHING_MEMORY: { default: '6g', description: '356 MB and 584 MB for each of MATCHING_CONCURRENCY' },
  AWS_ACCESS_KEY_ID: { description: 'Credentials of STORAGE_URL with s3:' },
  AWS_SECRET_ACCESS_KEY: {},
};
/**
 * Settings without a usable default: a deployment must set them (npm start makes its own and keeps them in DATA_DIR).
 */
const secrets = ['PLATFORM_API_KEY', 'DASHBOARD_PASSWORD', 'SECRETS_KEY'];

/** The settings that an app's config module declares. */
function declared(app) {
  const exported = createRequire(import.meta.url)(inRoot('apps', app, 'dist', 'config.js'));
  const schema = Object.values(exported).find((value) => value?.type === 'object' && value.properties);
  if (!schema) throw new Error(`apps/${app}/src/config.ts exports no settings schema`);
  return schema.properties;
}

function entry(name, { description, default: value }, commented = true) {
  const lines = description ? [`# ${description}`] : [];
  return [...lines, `${commented ? '#' : ''}${name}=${value ?? ''}`];
}

const group = (title, settings, commented = true) => [
  `## ${title}`,
  ...Object.entries(settings).flatMap(([name, schema]) => entry(name, schema, commented)),
  '',
];

function withoutNames(settings, names) {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.has(name)));
}

/** The text of .env.example: every setting once, with its default. */
export function envExample() {
  const byApp = Object.fromEntries(apps.map((app) => [app, declared(app)]));
  const all = Object.assign({}, ...Object.values(byApp));
  const usedBy = (name) => apps.filter((app) => name in byApp[app]).length;
  const secret = {
    ...containerSecrets,
    ...Object.fromEntries(secrets.filter((name) => name in all).map((name) => [name, all[name]])),
  };
  const shared = Object.fromEntries(Object.entries(all).filter(([name]) => usedBy(name) > 1 && !(name in secret)));
  const done = new Set([...Object.keys(secret), ...Object.keys(shared)]);
  const lines = [
    '# Settings. Copy this to .env and change what you need; a line that is commented out shows the default.',
    '# npm start reads .env too, and makes the secrets that are empty.',
    '',
    ...group('Secrets', secret, false),
    ...group('npm start', launcherSettings),
    ...group('Docker compose', containerSettings),
    ...group('Users of the database', databaseSettings),
    ...group('More than one process', shared),
    ...apps.flatMap((app) => {
      const own = withoutNames(byApp[app], done);
      return Object.keys(own).length > 0 ? group(app, own) : [];
    }),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    await build();
    const text = envExample();
    if (!process.argv.includes('--check')) fs.writeFileSync(file, text);
    else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text)
      throw new Error('.env.example is not what the settings give: run npm run env:example.');
    console.log('.env.example lists every setting.');
  });
}
