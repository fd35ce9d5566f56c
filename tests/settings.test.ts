import fs from 'node:fs';
import path from 'node:path';
import { loadConfig } from '@tieout/infra';
import { parseEnvFile } from './support/env-file';
import { isConfigModule } from './support/architecture/layout';
import { loadFiles, root } from './support/architecture/load';

interface Setting {
  default?: string | number | boolean;
}

/** Settings in .env.example that no process of the service reads. */
const settingsOfTools: Record<string, { usedIn: string; default: string }> = {
  DATA_DIR: { usedIn: 'scripts/lib/settings.mjs', default: '.data' },
  MIGRATION_DATABASE_URL: { usedIn: 'scripts/lib/settings.mjs', default: '' },
  ADMIN_DATABASE_URL: { usedIn: 'scripts/database-roles.mjs', default: '' },
  ...inCompose({
    POSTGRES_PASSWORD: '',
    POSTGRES_OWNER_PASSWORD: '',
    POSTGRES_SERVICE_PASSWORD: '',
    REDIS_PASSWORD: '',
    TLS_DOMAIN: 'localhost',
    PROXY_ADDRESS: '10.255.255.254',
    PROXY_SUBNET: '10.255.255.0/24',
    BACKUP_HOURS: '24',
    BACKUP_KEEP: '14',
    POSTGRES_MEMORY: '4g',
    API_MEMORY: '2g',
    INGEST_MEMORY: '2g',
    MATCHING_MEMORY: '6g',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
  }),
};

function inCompose(settings: Record<string, string>): Record<string, { usedIn: string; default: string }> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, { usedIn: 'docker-compose.yml', default: value }]),
  );
}

/** A TypeBox object schema whose keys are names of environment variables. */
function isSettingsSchema(value: unknown): value is { properties: Record<string, Setting> } {
  const schema = value as { type?: unknown; properties?: object } | null;
  if (typeof schema !== 'object' || schema?.type !== 'object' || !schema.properties) return false;
  return Object.keys(schema.properties).every((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
}

const configModules = loadFiles()
  .map((file) => file.path)
  .filter((file) => /^apps\/[^/]+\/src\//.test(file) && isConfigModule(file));

const merged = (all: readonly Record<string, Setting>[]): Record<string, Setting> =>
  Object.fromEntries(all.flatMap((some) => Object.entries(some)));

/** The settings that a config module exports. */
function settingsOf(file: string): Record<string, Setting> {
  const exported = jest.requireActual<Record<string, unknown>>(path.join(root, file));
  return merged(
    Object.values(exported)
      .filter(isSettingsSchema)
      .map((schema) => schema.properties),
  );
}

const defaultText = ({ default: value }: Setting): string | undefined =>
  value === undefined ? undefined : String(value);

describe('settings', () => {
  test.each(configModules)('%s exports the schema of its settings', (file) => {
    expect(Object.keys(settingsOf(file))).not.toEqual([]);
  });

  test('every service has a config module', () => {
    // The API serves the console.
    const apps = fs.readdirSync(path.join(root, 'apps')).filter((name) => name !== 'console');
    expect(configModules.map((file) => file.split('/')[1]).sort()).toEqual(apps.sort());
  });

  test('a setting of several processes has the same default in all', () => {
    const defaults = new Map<string, Set<string | undefined>>();
    for (const file of configModules) {
      for (const [name, setting] of Object.entries(settingsOf(file))) {
        defaults.set(name, (defaults.get(name) ?? new Set()).add(defaultText(setting)));
      }
    }
    expect(
      [...defaults]
        .filter(([, values]) => values.size > 1)
        .map(([name, values]) => `${name}: ${[...values].join(' | ')}`),
    ).toEqual([]);
  });
});

/** The server for agents is a client of the API. */
const modulesWithStores = configModules.filter((file) => 'QUEUE_URL' in settingsOf(file));

describe.each(modulesWithStores)('the process of %s', (file) => {
  /** Every setting that the process requires, and those given. */
  const messageWith = (given: Record<string, string>): string => {
    const exported = jest.requireActual<Record<string, unknown>>(path.join(root, file));
    const schema = Object.values(exported).find(isSettingsSchema) as unknown as Parameters<typeof loadConfig>[0];
    try {
      loadConfig(schema, { ...required, ...given });
      return 'accepted';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const required = {
    DATABASE_URL: 'postgresql://u:p@h/db',
    PLATFORM_API_KEY: 'k'.repeat(32),
    SECRETS_KEY: 'ab'.repeat(32),
    DASHBOARD_PASSWORD: 'twelve chars',
  };

  test.each([
    [{ QUEUE_URL: 'rediss://:p%2Fw@h:6379/2' }, /^accepted$/],
    [
      { QUEUE_URL: 'redis://:pa/ss@h:6379' },
      /^Invalid settings:\n {2}QUEUE_URL is not a url: in user and password write \//,
    ],
    [{ QUEUE_URL: 'postgresql://u:p@h:port/db' }, /^Invalid settings:\n {2}QUEUE_URL has a port that is not a number/],
    [{ QUEUE_URL: 'postgres://' }, /^Invalid settings:\n {2}QUEUE_URL names no host/],
    [{ QUEUE_URL: 'http://h' }, /^Invalid settings:\n {2}QUEUE_URL must match/],
    [
      { QUEUE_URL: 'redis://h/x', DATABASE_URL: 'postgresql://u:p@h/db?sslmode=on' },
      /DATABASE_URL has the sslmode on.*\n {2}QUEUE_URL has the database x/,
    ],
  ])('takes or refuses %j as every other does', (given, message) => {
    expect(messageWith(given)).toMatch(message);
  });
});

describe('.env.example', () => {
  const listed = () => parseEnvFile(fs.readFileSync(path.join(root, '.env.example'), 'utf8'));
  const declared = () => merged(configModules.map(settingsOf));

  test('lists every setting and nothing else', () => {
    const names = new Set([...Object.keys(declared()), ...Object.keys(settingsOfTools)]);
    expect([...listed().keys()].sort()).toEqual([...names].sort());
  });

  test('shows the default that the processes use', () => {
    const wrong = Object.entries(declared()).flatMap(([name, setting]) => {
      const expected = defaultText(setting);
      const shown = listed().get(name) ?? [];
      return expected === undefined || shown.every((value) => value === expected)
        ? []
        : [`${name}: ${shown.join(' | ')}, not ${expected}`];
    });
    expect(wrong).toEqual([]);
  });

  test.each(Object.entries(settingsOfTools))(
    '%s is a setting of the tools, with its default',
    (name, { usedIn, default: value }) => {
      expect(listed().get(name)).toEqual([value]);
      expect(fs.readFileSync(path.join(root, usedIn), 'utf8')).toContain(name);
    },
  );
});

test('an environment file is read with comments, quotes and commented-out settings', () => {
  const text = [
    '# Words, no setting',
    '## Group',
    'A=1',
    '# B=two words # why',
    '#C="quoted # text"',
    "export D='x' # y",
    'E=',
    'F=',
    'A=2',
    'not a setting',
  ].join('\n');
  expect(Object.fromEntries(parseEnvFile(text))).toEqual({
    A: ['1', '2'],
    B: ['two words'],
    C: ['quoted # text'],
    D: ['x'],
    E: [''],
    F: [''],
  });
});
