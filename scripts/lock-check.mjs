import fs from 'node:fs';
import { runMain } from '../tools/main.mjs';
import { inRoot } from '../tools/paths.mjs';

/** Pure JavaScript stands in for these where there is no binary, so a platform may be missing. */
const dispensable = ['msgpackr-extract'];

function isLocked(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

// `npm ci` refuses a lock file that lacks a package's binary for some platform, which happens when the lock file was
// made against a registry without it; the platform that made it does not notice.
await runMain(async () => {
  const { packages } = JSON.parse(fs.readFileSync(inRoot('package-lock.json'), 'utf8'));
  const missing = Object.entries(packages).flatMap(([location, { optionalDependencies = {} }]) =>
    dispensable.some((name) => location.endsWith(`node_modules/${name}`))
      ? []
      : Object.keys(optionalDependencies)
          .filter((name) => !isLocked(packages, location, name))
          .map((name) => `${name}, which ${location || 'the project'} wants`),
  );
  if (missing.length > 0) throw new Error(`package-lock.json lacks:\n  ${missing.join('\n  ')}`);
  console.log('package-lock.json covers every platform.');
});
