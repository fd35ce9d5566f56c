import Module, { createRequire } from 'node:module';
import { createScriptTransformer } from '@jest/transform';
import circus from 'jest-circus/runner';
import { inRoot } from '../../tools/paths.mjs';

const transformOptions = { supportsDynamicImport: true, collectCoverage: false };
const frameworkState = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];
let transformer;
let sourceMaps = new Map();

Module._extensions['.ts'] = (module, file) => {
  const { code, sourceMapPath } = transformer.transform(file, transformOptions);
  if (sourceMapPath) sourceMaps.set(file, sourceMapPath);
  module._compile(code, file);
};

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveToSource(request, ...rest) {
  const [, name] = /^@tieout\/([^/]+)$/.exec(request) ?? [];
  return resolveFilename.call(this, name ? inRoot('packages', name, 'src') : request, ...rest);
};

/** A new `require` each time: one keeps all modules that it has loaded. */
function requireAfresh(file) {
  const require = createRequire(import.meta.url);
  delete require.cache[file];
  return require(file);
}

/**
 * Runs a test file. Node loads its modules once for each worker, compiled as Jest compiles them; Jest alone would load
 * some 1,600 modules for each file again. So no test can replace a module, and a module must not keep state that
 * another test file could notice.
 */
export default async function run(globalConfig, config, environment, runtime, testPath, sendMessage) {
  transformer ??= await createScriptTransformer(config, new Map());
  // Jest resolves stack traces with the registry of the latest test file.
  const registry = runtime.getSourceMaps();
  for (const [file, map] of sourceMaps) registry.set(file, map);
  sourceMaps = registry;

  // The test framework is loaded for each file and starts without the tests of the file before.
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (frameworkState.includes(symbol.description)) delete globalThis[symbol];
  runtime.requireInternalModule = requireAfresh;
  runtime.requireModule = (file, name) => {
    if (name !== undefined) return createRequire(file)(name);
    globalThis.jest = runtime.requireModuleOrMock(testPath, '@jest/globals').jest;
    return requireAfresh(file);
  };
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessage);
}
