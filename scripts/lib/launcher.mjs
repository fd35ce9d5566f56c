import { setMaxListeners } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../build.mjs';
import { runDemo } from '../demo/demo.mjs';
import { makeFirstUser } from '../demo/first-user.mjs';
import { createCleanup } from '../../tools/cleanup.mjs';
import { migrate } from '../../tools/migrations.mjs';
import { childRegister } from './data-directory.mjs';
import { inRoot, requireFrom } from '../../tools/paths.mjs';
import { choosePort, startOnPort } from '../../tools/ports.mjs';
import { ensureDatabase, startPostgres } from '../../tools/postgres/server.mjs';
import { makeRoles } from '../../tools/postgres/roles.mjs';
import { ServiceProcess } from '../../tools/service-process.mjs';
import { keptSecret, newPassword, newPlatformKey, newSecretsKey } from '../../tools/secrets.mjs';
import { jsonFile } from './settings.mjs';
import { demoLines, welcomeLines } from './welcome.mjs';

const databaseName = 'tieout';
const pollMs = 1_000;
const maxBackoffMs = 30_000;
const readyTimeoutMs = 120_000;
/** Everything is down 10 s after the signal: the services first, the database with what remains. */
const shutdownMs = 9_500;
const servicesShutdownMs = 7_500;

/**
 * Starts the embedded database again when it dies; the services reconnect by themselves, so it comes back on its port.
 *
 * @returns {() => Promise<void>} Ends the watch.
 */
function watchDatabase(server, say) {
  const ended = new AbortController();
  const watch = async () => {
    let backoffMs = pollMs;
    for (;;) {
      await sleep(backoffMs, undefined, { signal: ended.signal });
      if (server.isRunning()) {
        backoffMs = pollMs;
        continue;
      }
      say('PostgreSQL ended unexpectedly; starting it again');
      try {
        await server.restart();
        say('PostgreSQL is running again');
      } catch (error) {
        backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
        say(`PostgreSQL did not start: ${error.message}\nNext attempt in ${backoffMs / 1000} s`);
      }
    }
  };
  const done = watch().catch((error) => {
    if (error.name !== 'AbortError') throw error;
  });
  return async () => {
    ended.abort();
    await done;
  };
}

/**
 * Opens the database. Of the embedded one, only this process knows the administrator and the owner of the tables; the
 * services connect as a user who may do no more than their work.
 *
 * @returns {Promise<{ databaseUrl: string, migrationUrl: string, shownUrl: string }>}
 */
async function openDatabase(settings, undo, say, deadline) {
  const { databaseUrl, migrationUrl = databaseUrl } = settings;
  if (databaseUrl) return { databaseUrl, migrationUrl, shownUrl: databaseUrl };
  const server = await startPostgres({ directory: settings.dataDirectory, say });
  undo.add(() => server.stop(Math.max(1_000, deadline() - Date.now())));
  if (server.adopted) say('PostgreSQL of the last start still runs: using it');
  await ensureDatabase(server, databaseName);
  undo.add(watchDatabase(server, say));
  const adminUrl = server.url(databaseName);
  const as = (user) => Object.assign(new URL(adminUrl), { username: user, password: newPassword() }).href;
  const urls = { ownerUrl: as('tieout_owner'), serviceUrl: as('tieout_service') };
  await makeRoles({ adminUrl, ...urls });
  return { databaseUrl: urls.serviceUrl, migrationUrl: urls.ownerUrl, shownUrl: adminUrl };
}

/** Chooses the ports before the long work begins, so that an explicit one that is taken is told at once. */
async function choosePorts({ host, port, dashboardPort }) {
  const api = { name: 'PORT', explicit: port, preferred: 3000, host };
  const dashboard = { name: 'DASHBOARD_PORT', explicit: dashboardPort, preferred: 3001, host };
  const apiPort = await choosePort(api);
  const taken = [apiPort];
  return {
    api: { ...api, port: apiPort },
    dashboard: { ...dashboard, port: await choosePort({ ...dashboard, taken }) },
  };
}

/** Refuses to make a key while secrets in the database need another: its file would hide that one is lost. */
async function requireNoLostKey(databaseUrl, secretsKey) {
  const require = requireFrom('apps/background-worker');
  const { createCipher, createDb, createLogger } = require('@tieout/infra');
  const { requireSecretsKey } = require('@tieout/domain');
  const logger = createLogger('start', 'silent');
  const db = createDb({ url: databaseUrl, applicationName: 'tieout start', poolSize: 1, logger });
  try {
    const lostKeys = process.env.SECRETS_LOST_KEYS;
    await requireSecretsKey({ db: db.system, cipher: createCipher(secretsKey), lostKeys, logger });
  } finally {
    await db.close();
  }
}

async function secretsOf(settings, databaseUrl) {
  const kept = (name, make) => keptSecret(settings.dataDirectory, name, make);
  const newKey = newSecretsKey();
  const hasKey = settings.secretsKey ?? fs.existsSync(path.join(settings.dataDirectory, 'secrets-key'));
  if (!hasKey) await requireNoLostKey(databaseUrl, newKey);
  return {
    platformKey: settings.platformKey ?? kept('platform-key', newPlatformKey),
    secretsKey: settings.secretsKey ?? kept('secrets-key', () => newKey),
    dashboardPassword: settings.dashboardPassword ?? kept('dashboard-password', newPassword),
  };
}

/** Gives each process only the secrets that it needs. `extra`: settings of processes that connect to other hosts. */
function serviceEnvironments(settings, { databaseUrl, queueUrl, secrets, extra }) {
  const common = {
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl,
    STORAGE_URL: settings.storageUrl ?? `file:${path.join(settings.dataDirectory, 'files')}`,
    HOST: settings.host,
    MIGRATION_DATABASE_URL: '',
    ADMIN_DATABASE_URL: '',
    PLATFORM_API_KEY: '',
    PLATFORM_API_KEY_PREVIOUS: '',
    DASHBOARD_PASSWORD: '',
    SECRETS_KEY: '',
    OPENFINANCE_CREDENTIALS: '',
  };
  const outside = {
    SECRETS_KEY: secrets.secretsKey,
    OPENFINANCE_CREDENTIALS: settings.openFinanceCredentials ?? '',
    ...extra,
  };
  const worker = { ...common, HEALTH_PORT: '0' };
  return {
    api: {
      ...common,
      PLATFORM_API_KEY: secrets.platformKey,
      PLATFORM_API_KEY_PREVIOUS: settings.previousPlatformKey ?? '',
      SHUTDOWN_DRAIN_MS: process.env.SHUTDOWN_DRAIN_MS || '0',
      ...outside,
    },
    'ingest-worker': worker,
    'matching-worker': worker,
    'webhook-worker': { ...worker, ...outside, OPENFINANCE_CREDENTIALS: '' },
    'background-worker': { ...worker, ...outside },
    dashboard: {
      ...common,
      DASHBOARD_USER: settings.dashboardUser,
      DASHBOARD_PASSWORD: secrets.dashboardPassword,
    },
  };
}

/** @returns {Promise<{ api: number, dashboard: number }>} The ports they listen on. */
async function startServices(settings, environments, ports, { register, undo, say }) {
  const services = [];
  undo.add(() => Promise.all(services.map((service) => service.stop(servicesShutdownMs))));
  const start = async (name, env) => {
    const service = new ServiceProcess({
      name,
      env,
      register,
      say,
      file: inRoot('apps', name, 'dist', 'main.js'),
      logFile: path.join(settings.dataDirectory, 'logs', `${name}.log`),
    });
    services.push(service);
    await service.start(readyTimeoutMs);
  };
  const listening = {};
  await Promise.all(
    Object.entries(environments).map(async ([name, env]) => {
      const choice = ports[name];
      if (choice === undefined) return start(name, env);
      const port = await startOnPort(choice, (port) => start(name, { ...env, [choice.name]: String(port) }));
      if (choice.explicit === undefined && port !== choice.preferred)
        say(`Port ${choice.preferred} is taken: the ${name} takes ${port}`);
      listening[name] = port;
    }),
  );
  return listening;
}

async function demonstrate(demo) {
  try {
    await runDemo(demo);
  } catch (error) {
    if (demo.signal.aborted) return;
    demo.say(`\nThe demo did not finish: ${error.message}\nTieout runs nevertheless; the next start resumes the demo.`);
  }
}

/** Makes the first user of the demo tenant, if there is one; undefined for none. */
async function firstUser({ dataDirectory }, { stateFile, signal, say, ...service }) {
  const { tenantId } = jsonFile(stateFile).read() ?? {};
  if (tenantId === undefined || signal.aborted) return undefined;
  try {
    return await makeFirstUser({ ...service, tenantId, dataDirectory, signal });
  } catch (error) {
    if (!signal.aborted) say(`\nThe demo has no user: ${error.message}\nThe next start makes one.`);
    return undefined;
  }
}

/**
 * Starts everything and stays until it is asked to stop.
 *
 * @param {{ settings: ReturnType<import('./settings.mjs').readSettings>, demo?: boolean, stop: Promise<string>, say:
 *   (line: string) => void, show?: { environment: Record<string, string>, run: (on: { baseUrl: string, platformKey:
 *   string, signal: AbortSignal }) => Promise<void> } }} options With `show`, the services get its settings, and
 *   everything ends with it, or with its failure.
 */
export async function launch({ settings, demo = false, stop, say, show }) {
  const startedAt = Date.now();
  const undo = createCleanup();
  const stopped = new AbortController();
  // Every request of the demo listens to it.
  setMaxListeners(0, stopped.signal);
  let deadline = Infinity;
  const stopping = stop.then((signal) => {
    deadline = Date.now() + shutdownMs;
    stopped.abort();
    return signal;
  });
  const unlessStopped = async (work) => {
    const outcome = await Promise.race([work, stopping.then(() => 'stopped')]);
    if (outcome !== 'stopped') return outcome;
    // Work that has begun must end before it can be undone.
    await Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 5_000))]);
    throw new Error('Stopped.');
  };
  const runtimeFile = jsonFile(path.join(settings.dataDirectory, 'runtime.json'));
  const register = childRegister(settings.dataDirectory);
  try {
    await unlessStopped(register.endLeftovers(say));
    const chosenPorts = await choosePorts(settings);
    const [, { databaseUrl, migrationUrl, shownUrl }] = await unlessStopped(
      Promise.allSettled([build(say), openDatabase(settings, undo, say, () => deadline)]).then((results) => {
        const failed = results.find(({ status }) => status === 'rejected');
        if (failed) throw failed.reason;
        return results.map(({ value }) => value);
      }),
    );
    const queueUrl = settings.queueUrl ?? databaseUrl;
    const queueOwnerUrl = queueUrl === databaseUrl ? migrationUrl : queueUrl;
    const applied = await unlessStopped(migrate(migrationUrl, queueOwnerUrl));
    if (applied.length > 0) say(`Applied ${applied.length} migration${applied.length === 1 ? '' : 's'}`);
    const secrets = await unlessStopped(secretsOf(settings, databaseUrl));
    say('Starting the API, the workers and the dashboard …');
    const environments = serviceEnvironments(settings, {
      databaseUrl,
      queueUrl,
      secrets,
      extra: show?.environment,
    });
    const ports = await unlessStopped(startServices(settings, environments, chosenPorts, { register, undo, say }));

    const shownHost = ['0.0.0.0', '::'].includes(settings.host) ? '127.0.0.1' : settings.host;
    const address = shownHost === '127.0.0.1' ? 'localhost' : shownHost;
    const baseUrl = `http://${shownHost}:${ports.api}`;
    runtimeFile.write({ apiUrl: baseUrl, pid: process.pid, databaseUrl, migrationUrl, queueUrl });
    undo.add(() => runtimeFile.remove());
    say(`Ready in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    if (show)
      return await unlessStopped(show.run({ baseUrl, platformKey: secrets.platformKey, signal: stopped.signal }));
    const stateFile = path.join(settings.dataDirectory, 'demo.json');
    const demonstration = { baseUrl, platformKey: secrets.platformKey, stateFile, say, signal: stopped.signal };
    if (demo) await demonstrate(demonstration);
    const user = await firstUser(settings, demonstration);
    if (!stopped.signal.aborted) {
      const shown = {
        apiUrl: `http://${address}:${ports.api}`,
        dashboardUrl: `http://${address}:${ports.dashboard}`,
        databaseUrl: shownUrl,
      };
      for (const line of welcomeLines({ ...shown, user, settings, secrets })) say(line);
      for (const line of demoLines({ apiUrl: shown.apiUrl, stateFile })) say(line);
    }
    const signal = await stopping;
    say(`\n${signal}: stopping …`);
  } finally {
    if (deadline === Infinity) deadline = Date.now() + shutdownMs;
    await undo.run();
    register.clear();
  }
  say('Stopped. The data stays in ' + path.relative(process.cwd(), settings.dataDirectory));
}
