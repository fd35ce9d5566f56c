import fs from 'node:fs';
import path from 'node:path';
import { bounded, synchronous } from './jsonata-edits.mjs';
import { faster, speedHelpers } from './jsonata-speed.mjs';
import { inRoot, requireFrom } from '../../tools/paths.mjs';

/** The version that the edits are made for. */
const version = '2.2.2';
const folder = inRoot('packages', 'engine', 'generated');

/** Each edit must find exactly as many places as it was written for. */
function edited(source, edits) {
  return edits.reduce((text, { find, replace, places }) => {
    const found = text.split(find).length - 1;
    if (found !== places) throw new Error(`jsonata ${version} has ${found} places for an edit of ${places}: ${find}`);
    return text.replaceAll(find, () => replace);
  }, source);
}

/** The package is a bundle for browsers that assigns to `module`: it gets one of its own at each call. */
const asFactory = (source, helpers = '') =>
  `module.exports = (bounds) => {\n${helpers}const module = { exports: {} };\nconst { exports } = module;\n${source}\nreturn module.exports;\n};\n`;

function licence(directory) {
  const lines = fs.readFileSync(path.join(directory, 'LICENSE'), 'utf8').trim().split('\n');
  return `/*\n * Generated from jsonata ${version}. Its licence:\n *\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function installedPackage() {
  const manifest = requireFrom('packages/engine').resolve('jsonata/package.json');
  const installed = JSON.parse(fs.readFileSync(manifest, 'utf8')).version;
  if (installed !== version)
    throw new Error(`jsonata ${installed} is installed; the reference evaluator is generated from ${version}.`);
  return path.dirname(manifest);
}

/** The files that `writeJsonataBuilds` makes. */
export const jsonataBuilds = ['jsonata-sync.js', 'jsonata-async.js'].map((name) => path.join(folder, name));

/**
 * Writes two builds of the installed jsonata beside their declarations: both ask the bounds they are given before work
 * that jsonata does not limit, one of them is synchronous. Throws when the installed version is another one.
 */
export function writeJsonataBuilds() {
  const directory = installedPackage();
  const source = edited(fs.readFileSync(path.join(directory, 'jsonata.js'), 'utf8'), bounded);
  const header = licence(directory);
  const [sync, async] = jsonataBuilds;
  fs.writeFileSync(sync, header + asFactory(edited(edited(source, synchronous), faster), speedHelpers));
  fs.writeFileSync(async, header + asFactory(source));
}
