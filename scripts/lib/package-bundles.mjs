import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../tools/paths.mjs';

const inClient = (...names) => inRoot('packages', 'client', ...names);
const inCommandLine = (...names) => inRoot('packages', 'cli', ...names);

/** Writes the client as ES modules beside its CommonJS ones: few files, which bundlers cut to what is used. */
export async function bundleClient() {
  const { build } = await import('esbuild');
  await build({
    entryPoints: ['index', 'open-file', 'open-file.node'].map((name) => inClient('src', `${name}.ts`)),
    outdir: inClient('dist'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    external: ['openapi-fetch', '#open-file', 'node:*'],
    sourcemap: true,
    logLevel: 'error',
  });
  fs.writeFileSync(inClient('dist', 'index.d.mts'), "export * from './index.js';\n");
}

/**
 * Bundles the command line as one file per thread, without dependencies, and adds the licences of the bundled packages.
 */
export async function bundleCommandLine() {
  const { build } = await import('esbuild');
  const folder = inCommandLine('dist', 'bundle');
  const { metafile } = await build({
    absWorkingDir: inRoot(),
    entryPoints: ['main', 'helper'].map((name) => inCommandLine('dist', `${name}.js`)),
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  fs.writeFileSync(path.join(folder, 'LICENSES.txt'), licencesOf(Object.keys(metafile.inputs)));
}

/** The licence of each package of others that a bundle holds; the evaluator is built from jsonata's source. */
function licencesOf(inputs) {
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set([...folders, 'node_modules/jsonata'])]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(78)}\n\n`);
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(fs.readFileSync(inRoot(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(inRoot(folder)).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version} (${license})\n\n${file ? fs.readFileSync(inRoot(folder, file), 'utf8') : ''}`;
}
