#!/usr/bin/env -S node --max-semi-space-size=64
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const program = new URL('../dist/bundle/main.js', import.meta.url);
// A checkout that is installed is not built yet.
if (existsSync(program)) {
  // An import would search the whole program for the names that it exports.
  createRequire(import.meta.url)('../dist/bundle/main.js');
} else {
  process.stderr.write('tieout: is not built yet; run: npm run build\n');
  process.exitCode = 2;
}
