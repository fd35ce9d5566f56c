import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.join(__dirname, '..');
const text = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');

interface ComposeService {
  image: string;
  environment?: Record<string, string | number>;
  volumes?: string[];
  ports?: string[];
  profiles?: string[];
  networks?: string[];
  tmpfs?: string[];
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  command?: string[];
  user?: string;
  cap_add?: string[];
  read_only?: boolean;
  secrets?: (string | { source: string })[];
  logging?: { driver: string; options: Record<string, string> };
  [key: string]: unknown;
}

const compose = parse(text, { merge: true, maxAliasCount: -1 }) as {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
  secrets?: Record<string, { file?: string }>;
};
const services = Object.entries(compose.services);
// The API serves the console.
const apps = readdirSync(path.join(root, 'apps')).filter((app) => app !== 'console');
/** The name of a service of `main` that one of another database is like. */
const likeOf = (name: string): string => name.replace(/-[bc]$/, '');
const textOf = (service: ComposeService): string => JSON.stringify(service);

describe.each(services)('the container of %s', (name, service) => {
  test('cannot gain rights, change its file system or take the whole machine', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number) as number,
      mem_limit: expect.stringMatching(/^(\$\{[A-Z]+_MEMORY:-)?\d+[mg]\}?$/) as string,
    });
    expect(service.cap_add).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : undefined);
    for (const key of ['privileged', 'network_mode', 'pid', 'ipc', 'devices', 'env_file', 'container_name'])
      expect(service).not.toHaveProperty(key);
    expect(textOf(service)).not.toContain('docker.sock');
  });

  test('has only secrets that Docker Compose can put into a read-only file system: files', () => {
    const names = (service.secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source));
    expect(names.filter((secret) => service.read_only && compose.secrets?.[secret]?.file === undefined)).toEqual([]);
  });

  test('rotates its log', () => {
    const options = name === 'api' ? { 'max-size': '100m', 'max-file': '10' } : { 'max-size': '10m', 'max-file': '5' };
    expect(service.logging).toEqual({ driver: 'json-file', options });
  });

  test('runs an image that is ours, or pinned by tag and digest', () => {
    expect(service.image).toMatch(/^(tieout|[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64})$/);
  });

  test('is reached from this machine only, except the proxy', () => {
    const open = (service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'));
    expect(open).toEqual(name === 'proxy' ? ['80:80', '443:443', '443:443/udp'] : []);
  });

  test('comes back after a failure, unless it is a step', () => {
    expect(service.restart).toBe(['roles', 'migrate', 'restore'].includes(likeOf(name)) ? 'no' : 'unless-stopped');
  });

  test('writes to named volumes only', () => {
    const bound = (service.volumes ?? []).filter((volume) => volume.startsWith('.') && !volume.endsWith(':ro'));
    expect(bound).toEqual([]);
    for (const volume of service.volumes ?? [])
      if (!volume.startsWith('.')) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  });
});

/** The names of the settings that an app's config module declares. */
function settingsOf(app: string): string[] {
  const exported = jest.requireActual<Record<string, { type?: string; properties?: object }>>(
    path.join(root, 'apps', app, 'src', 'config'),
  );
  const schema = Object.values(exported).find((value) => value.type === 'object' && value.properties);
  return Object.keys(schema?.properties ?? {});
}

const usesFiles = ['api', 'background-worker', 'ingest-worker'];
const credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

test.each(apps)('%s gets each of its settings and no other', (app) => {
  const unused = usesFiles.includes(app) ? [] : ['STORAGE_URL'];
  if (app === 'dashboard') unused.push('DATABASE_URL');
  // Each agent brings its own.
  if (app === 'mcp') unused.push('TIEOUT_KEY');
  const wanted = settingsOf(app).filter((name) => !unused.includes(name));
  const given = Object.keys(compose.services[app]?.environment ?? {});
  expect(given.sort()).toEqual([...wanted, ...(usesFiles.includes(app) ? credentials : [])].sort());
});

test.each(services)('%s knows no secret that it does not need', (name, service) => {
  const known = [...textOf(service).matchAll(/\$\{(\w+(?:PASSWORD|_KEY|_KEY_PREVIOUS|CREDENTIALS))\b/g)].map(
    ([, secret]) => secret,
  );
  const needed: Record<string, string[]> = {
    postgres: ['POSTGRES_PASSWORD'],
    redis: ['REDIS_PASSWORD'],
    roles: ['POSTGRES_PASSWORD', 'POSTGRES_OWNER_PASSWORD', 'POSTGRES_SERVICE_PASSWORD'],
    migrate: ['POSTGRES_OWNER_PASSWORD', 'REDIS_PASSWORD'],
    backup: ['POSTGRES_OWNER_PASSWORD'],
    restore: ['POSTGRES_OWNER_PASSWORD'],
    proxy: [],
    mcp: [],
    prometheus: [],
    grafana: ['DASHBOARD_PASSWORD'],
    dashboard: ['REDIS_PASSWORD', 'DASHBOARD_PASSWORD'],
  };
  const store = ['POSTGRES_SERVICE_PASSWORD', 'REDIS_PASSWORD'];
  const ofApp: Record<string, string[]> = {
    'matching-worker': store,
    'ingest-worker': [...store, 'AWS_SECRET_ACCESS_KEY'],
    'webhook-worker': [...store, 'SECRETS_KEY'],
    'background-worker': [...store, 'AWS_SECRET_ACCESS_KEY', 'SECRETS_KEY', 'OPENFINANCE_CREDENTIALS'],
    api: [
      ...store,
      'AWS_SECRET_ACCESS_KEY',
      'SECRETS_KEY',
      'OPENFINANCE_CREDENTIALS',
      'PLATFORM_API_KEY',
      'PLATFORM_API_KEY_PREVIOUS',
    ],
  };
  expect([...new Set(known)].sort()).toEqual([...((needed[likeOf(name)] ?? ofApp[likeOf(name)]) as string[])].sort());
});

test('files are mounted where they are read or written, and nowhere else', () => {
  const mounting = services.filter(([, { volumes }]) => volumes?.some((volume) => volume.startsWith('files:')));
  const workers = ['background-worker', 'ingest-worker'].flatMap((name) => [`${name}-b`, `${name}-c`]);
  expect(mounting.map(([name]) => name).sort()).toEqual([...usesFiles, ...workers, 'backup', 'restore'].sort());
});

test('the stores are in a network without a way out, and only they and what uses them', () => {
  expect(compose.networks['stores']).toEqual({ internal: true });
  for (const store of ['postgres', 'redis']) {
    expect(compose.services[store]?.networks).toEqual(['stores']);
    expect(compose.services[store]?.ports).toBeUndefined();
  }
  expect(compose.services['proxy']?.networks).not.toHaveProperty('stores');
});

test('the API believes the address that the proxy reports, and no other caller', () => {
  const proxy = compose.services['proxy']?.networks as unknown as { edge: { ipv4_address: string } };
  expect(proxy).toEqual({ edge: { ipv4_address: '${PROXY_ADDRESS:-10.255.255.254}' } });
  expect(compose.services['api']?.networks).toContain('edge');
  expect(compose.services['api']?.environment).toMatchObject({
    TRUSTED_PROXIES: `\${TRUSTED_PROXIES:-${proxy.edge.ipv4_address}}`,
  });
  expect(readFileSync(path.join(root, 'ops', 'caddy', 'Caddyfile'), 'utf8')).toMatch(/^\tadmin off$/m);
});

test('what writes temporary files has a place for them', () => {
  for (const [name, { tmpfs = [] }] of services)
    if (!['redis', 'roles', 'migrate', 'prometheus'].includes(likeOf(name)))
      expect(tmpfs.filter((mount) => mount.startsWith('/tmp:'))).toHaveLength(1);
});

test('Redis asks for a password, keeps to its memory and evicts nothing', () => {
  const command = compose.services['redis']?.command?.join(' ') ?? '';
  expect(command).toContain('requirepass $$REDISCLI_AUTH');
  expect(command).toMatch(/--maxmemory \d+gb --maxmemory-policy noeviction/);
  expect(command).toContain('--appendonly yes');
});

test('migrations run before everything that uses the tables, as another user of the database', () => {
  for (const app of [...apps.filter((one) => one !== 'mcp'), 'backup'])
    expect(compose.services[app]?.depends_on?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
  expect(compose.services['migrate']?.environment).toMatchObject({
    MIGRATION_DATABASE_URL: expect.stringContaining('//tieout_owner:') as string,
  });
  expect(compose.services['api']?.environment).toMatchObject({
    DATABASE_URL: expect.stringContaining('//tieout_service:') as string,
  });
});

test.each([
  ['proxy', 'tls'],
  ['backup', 'backup'],
  ['restore', 'restore'],
  ['prometheus', 'monitoring'],
  ['grafana', 'monitoring'],
  ['mcp', 'agents'],
])('%s runs with the profile %s only', (name, profile) => {
  expect(compose.services[name]?.profiles).toEqual([profile]);
});

describe.each(['b', 'c'])('the database %s', (cell) => {
  const own = Object.fromEntries(
    services.filter(([name]) => name.endsWith(`-${cell}`)).map(([name, service]) => [likeOf(name), service]),
  );
  const host = `@postgres-${cell}:5432/`;

  test('has the workers of all kinds, and runs with the profile cluster only', () => {
    const workers = apps.filter((app) => app.endsWith('-worker'));
    expect(Object.keys(own).sort()).toEqual([...workers, 'migrate', 'postgres', 'roles'].sort());
    for (const service of Object.values(own)) expect(service.profiles).toEqual(['cluster']);
  });

  test('has its own volume, users and tables', () => {
    expect(own['postgres']?.volumes).toEqual([`postgres-${cell}-data:/var/lib/postgresql`]);
    for (const name of ['roles', 'migrate'])
      for (const [setting, url] of Object.entries(own[name]?.environment ?? {}))
        if (setting !== 'QUEUE_URL') expect(url).toContain(host);
  });

  test('is that of its workers, which have the settings of the others and queues of their own', () => {
    for (const [name, { environment, depends_on: needs }] of Object.entries(own)) {
      if (!name.endsWith('-worker')) continue;
      expect(environment).toEqual({
        ...compose.services[name]?.environment,
        DATABASE_URL: expect.stringContaining(host) as string,
        QUEUE_PREFIX: `\${QUEUE_PREFIX:-tieout}_${cell}`,
      });
      expect(Object.keys(needs ?? {}).sort()).toEqual([`migrate-${cell}`, 'redis']);
    }
  });
});

test('Prometheus has the token of metrics where its configuration reads it', () => {
  const configured = readFileSync(path.join(root, 'ops', 'prometheus', 'prometheus.yml'), 'utf8');
  const file = /credentials_file: (\S+)/.exec(configured)?.[1] as string;
  expect(textOf(compose.services['prometheus'] as ComposeService)).toContain(`$$METRICS_TOKEN\\" >${file}\\n`);
  expect(compose.services['prometheus']?.tmpfs?.[0]).toMatch(`${path.dirname(file)}:`);
});

test('the file says which version of Docker Compose reads it', () => {
  expect(text).toMatch(/Docker Compose 2\.\d+ or newer/);
});

test('the images that a build starts from are pinned by tag and digest', () => {
  const from = [...readFileSync(path.join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)];
  expect(from.map(([, image]) => image)).toEqual([expect.any(String), from[0]?.[1]]);
  expect(from[0]?.[1]).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
});
