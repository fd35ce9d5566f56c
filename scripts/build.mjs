import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { bundleConsole } from './lib/console-bundle.mjs';
import { bundleClient, bundleCommandLine } from './lib/package-bundles.mjs';
import { withCheckoutLock } from './lib/lock-file.mjs';
import { explainJsonata, jsonataBuilds, writeJsonataBuilds } from './lib/jsonata-builds.mjs';
import { isMain, runMain } from '../tools/main.mjs';
import { inRoot, root } from '../tools/paths.mjs';

const stampFile = inRoot('node_modules', '.cache', 'tieout', 'build-stamp.json');
const generators = ['builds', 'bounds', 'edit', 'speed'].map((name) => inRoot('scripts', 'lib', `jsonata-${name}.mjs`));
const client = inRoot('packages', 'infra', 'src', 'generated', 'prisma');

function* filesUnder(directory, skip) {
  if (!fs.existsSync(directory)) return;
  for (const entry of fs.readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(directory, entry.name);
    if (skip(full, entry.name)) continue;
    if (entry.isDirectory()) yield* filesUnder(full, skip);
    else yield full;
  }
}

function digest(files) {
  const hash = crypto.createHash('sha256');
  for (const file of files)
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

const workspaces = () =>
  ['packages', 'apps'].flatMap((folder) =>
    fs
      .readdirSync(inRoot(folder))
      .map((name) => inRoot(folder, name))
      .filter((dir) => fs.existsSync(path.join(dir, 'tsconfig.json'))),
  );

/** Fingerprints of the inputs of the generated sources and of the compiler. */
function inputs() {
  const lock = inRoot('package-lock.json');
  const settings = [
    ...generators,
    inRoot('scripts', 'lib', 'console-bundle.mjs'),
    inRoot('scripts', 'lib', 'package-bundles.mjs'),
    lock,
    inRoot('tsconfig.json'),
    inRoot('tsconfig.base.json'),
  ];
  const skip = (full, name) =>
    name === 'dist' ||
    name === 'node_modules' ||
    name.endsWith('.tsbuildinfo') ||
    full === path.dirname(client) ||
    jsonataBuilds.includes(full);
  const sources = workspaces().flatMap((dir) => [...filesUnder(dir, skip)]);
  const schema = inRoot('prisma', 'schema.prisma');
  return {
    generated: digest([...generators, schema, inRoot('prisma.config.ts'), lock]),
    sources: digest([...settings, schema, ...sources]),
  };
}

const generatedExist = () => [path.join(client, 'client.ts'), ...jsonataBuilds].every((file) => fs.existsSync(file));

const outputsExist = () =>
  workspaces().every((dir) => !fs.existsSync(path.join(dir, 'src')) || fs.existsSync(path.join(dir, 'dist')));

const readStamp = () => (fs.existsSync(stampFile) ? JSON.parse(fs.readFileSync(stampFile, 'utf8')) : {});

function writeStamp(stamp) {
  fs.mkdirSync(path.dirname(stampFile), { recursive: true });
  fs.writeFileSync(stampFile, JSON.stringify(stamp));
}

function run(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(args[0])} failed:\n${output.trim()}`)),
    );
  });
}

const isGenerated = (wanted) => readStamp().generated === wanted && generatedExist();

async function writeGenerated(wanted) {
  if (isGenerated(wanted)) return;
  await run([inRoot('node_modules', 'prisma', 'build', 'index.js'), 'generate'], {
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  writeJsonataBuilds();
  writeStamp({ generated: wanted });
}

/** Generates the database client and the builds of jsonata, or does nothing when they are there as wanted. */
export async function generate(say = () => {}) {
  const { generated } = inputs();
  if (!isGenerated(generated)) await withCheckoutLock(say, () => writeGenerated(generated));
}

const isBuilt = (wanted) => readStamp().sources === wanted.sources && generatedExist() && outputsExist();

/**
 * Writes the generated sources and compiles every workspace, or does nothing when no source has changed since the last
 * build. Throws with the compiler's output on a type error. Returns whether it built.
 */
export async function build(say = () => {}) {
  const wanted = inputs();
  if (isBuilt(wanted)) return false;
  return withCheckoutLock(say, async () => {
    if (isBuilt(wanted)) return false;
    say('Building …');
    await writeGenerated(wanted.generated);
    await run([inRoot('node_modules', 'typescript', 'bin', 'tsc'), '-b']);
    await bundleClient();
    await bundleCommandLine();
    await bundleConsole();
    writeStamp(wanted);
    return true;
  });
}

const help = `Builds what has changed since the last build.

Usage: npm run build [-- options]
  --generate          only the sources that are generated, which checks of types and style read
  --explain-jsonata   prints the edits of the reference evaluator and its difference from jsonata
  --help              this text`;

async function main([option]) {
  if (option === '--help') return console.log(help);
  if (option === '--generate') return generate(console.log);
  if (option === '--explain-jsonata') return console.log(explainJsonata());
  if (option !== undefined) throw new Error(`Unknown option ${option}\n\n${help}`);
  console.log((await build(console.log)) ? 'Built.' : 'Nothing changed since the last build.');
}

if (isMain(import.meta.filename)) await runMain(() => main(process.argv.slice(2)));
