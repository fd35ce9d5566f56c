import path from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '../tools/main.mjs';
import { jsonFile, loadEnvFile, readSettings } from './lib/settings.mjs';
import fs from 'node:fs';

const usage = `Usage: npm run tenant:create -- --name "Acme" [--label "key label"] [--url http://localhost:3000]

Makes a tenant and a first key of it through the running API, with the platform key from PLATFORM_API_KEY or DATA_DIR.`;

function platformKeyOf(settings) {
  if (settings.platformKey) return settings.platformKey;
  const file = path.join(settings.dataDirectory, 'platform-key');
  if (!fs.existsSync(file))
    throw new Error(
      `No platform key: set PLATFORM_API_KEY, or start Tieout once (npm start), which keeps one in ${file}.`,
    );
  return fs.readFileSync(file, 'utf8').trim();
}

function apiUrlOf(settings, given) {
  if (given) return given;
  const running = jsonFile(path.join(settings.dataDirectory, 'runtime.json')).read();
  return running?.apiUrl ?? `http://127.0.0.1:${settings.port ?? 3000}`;
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        name: { type: 'string' },
        label: { type: 'string' },
        url: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage}`, { cause: error });
  }
}

await runMain(async () => {
  const { name, label = 'first key', url, help } = readArguments();
  if (help) return console.log(usage);
  if (!name) throw new Error(usage);
  loadEnvFile();
  const settings = readSettings();
  const { apiClient } = await import('../tools/api-client.mjs');
  const baseUrl = apiUrlOf(settings, url);
  const client = (headers) => apiClient({ baseUrl, headers: { 'x-api-key': platformKeyOf(settings), ...headers } });
  const tenant = await client({}).post('/v1/tenants', { name });
  const { key } = await client({ 'x-tenant-id': tenant.id }).post('/v1/api-keys', { label });
  console.log(`Tenant  ${tenant.id}\nKey     ${key}\n\nThe key is shown only here.`);
});
