import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from '../../tools/paths.mjs';

const folder = inRoot('apps', 'console');
const out = path.join(folder, 'dist');
const entry = 'apps/console/src/main.tsx';
/** The parts of these packages that run in a browser. All others need Node. */
const alias = Object.fromEntries(
  ['engine', 'formats'].map((name) => [`@tieout/${name}`, `./packages/${name}/src/browser.ts`]),
);

/** The page, which names the files of the first screen by their hashes. */
function pageOf({ script, style }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tieout</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app/${style}">
<script type="module" src="/app/${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console of Tieout needs JavaScript.</noscript>
</body>
</html>
`;
}

/**
 * Writes the console: files that are named by their content, with the screens apart, and the page. What an earlier
 * build has left is removed after the page names the new files.
 */
export async function bundleConsole() {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: inRoot(),
    entryPoints: [entry],
    outdir: out,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    alias,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2023', 'chrome120', 'firefox121', 'safari17.2'],
    jsx: 'automatic',
    minify: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  });
  const written = Object.keys(metafile.outputs).map((file) => path.basename(file));
  const [script] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  const style = metafile.outputs[script].cssBundle;
  fs.writeFileSync(
    path.join(out, 'index.html'),
    pageOf({ script: path.basename(script), style: path.basename(style) }),
  );
  const kept = new Set([...written, 'index.html']);
  for (const name of fs.readdirSync(out)) if (!kept.has(name)) fs.rmSync(path.join(out, name), { recursive: true });
}
