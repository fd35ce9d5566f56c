import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

export const inRoot = (...parts) => path.join(root, ...parts);

/** Resolves packages the way a workspace does, for those that npm does not hoist. */
export const requireFrom = (workspace) => createRequire(inRoot(workspace, 'package.json'));
