import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const compose = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
const workspaces = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`).filter((name) => existsSync(path.join(root, name, 'package.json'))),
);

test.each(workspaces)('the image installs the dependencies of %s', (workspace) => {
  expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`);
});

test('the image runs as an ordinary user and checks its own health', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
});

test('any number of containers of a worker runs on one machine: none has a name or a port of the machine', () => {
  expect(compose).not.toContain('container_name');
  const services = compose.slice(compose.indexOf('\nservices:\n')).split(/\n(?= {2}[\w-]+:\n)/);
  const published = services.filter((text) => /^ {4}ports:/m.test(text)).map((text) => text.trimStart().split(':', 1)[0]);
  expect(published.filter((name) => name?.endsWith('worker'))).toEqual([]);
  expect(published).toContain('api');
});
