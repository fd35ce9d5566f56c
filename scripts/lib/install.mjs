import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { withCheckoutLock } from './lock-file.mjs';
import { inRoot, root } from '../../tools/paths.mjs';

const oldestNode = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    throw new Error(`Node ${oldestNode.join('.')} or newer is needed; this is ${process.version}.`);
  }
}

const readJson = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null);

/**
 * Returns whether each node_modules holds what package-lock.json says. npm writes its record of installed packages
 * last, so a broken installation counts as none. Packages for other platforms may be absent. The record covers only the
 * root, so folders of workspaces are looked up one by one.
 */
export function isInstalled() {
  const wanted = readJson(inRoot('package-lock.json'));
  const present = readJson(inRoot('node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted.packages).every(([location, entry]) => {
    if (!location.includes('node_modules/')) return true;
    const installed = present.packages[location];
    if (!installed) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return (entry.link === true || installed.version === entry.version) && fs.existsSync(inRoot(location));
  });
}

function runNpm(say) {
  say('Installing dependencies (once; needs the package registry) …');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error || result.status !== 0) {
    throw new Error(`npm ci failed${result.error ? `: ${result.error.message}` : ''}. See the lines above.`);
  }
}

/** Installs the dependencies when the lock file asks for others than are there. */
export async function install(say) {
  if (isInstalled()) return;
  await withCheckoutLock(say, () => {
    if (!isInstalled()) runNpm(say);
  });
}
