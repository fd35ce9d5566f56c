import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const nodeGlobals = Object.fromEntries(
  [
    'AbortController',
    'AbortSignal',
    'Buffer',
    'TextDecoder',
    'TextEncoder',
    'URL',
    'URLSearchParams',
    'WebAssembly',
    'clearInterval',
    'clearTimeout',
    'console',
    'fetch',
    'process',
    'setImmediate',
    'setInterval',
    'setTimeout',
    'globalThis',
  ].map((name) => [name, 'readonly']),
);

const environmentOutsideConfig = {
  object: 'process',
  property: 'env',
  message: 'The environment is read in config modules only; pass the setting in.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      '.data/',
      'coverage/',
      'packages/infra/src/generated/',
      'packages/engine/generated/',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: nodeGlobals },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      // One program over all sources and tests is several times faster than one for each workspace.
      parserOptions: { project: 'tsconfig.tools.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Objects here are records of closures: their methods need no `this`.
      '@typescript-eslint/unbound-method': 'off',
      // `async` without `await` turns a throw into a rejection, which is what a promise's caller expects.
      '@typescript-eslint/require-await': 'off',
      // Control characters are what some patterns look for.
      'no-control-regex': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-properties': ['error', environmentOutsideConfig],
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportDeclaration[source.value='node:process'] ImportSpecifier[imported.name='env']",
          message: environmentOutsideConfig.message,
        },
      ],
    },
  },
  {
    files: [
      '**/config.ts',
      '**/*-config.ts',
      '**/config/*.ts',
      '*.config.ts',
      'packages/testing/**/*.ts',
      'tests/**/*.ts',
      '**/*.test.ts',
      'bench/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off' },
  },
);
