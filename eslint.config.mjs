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
      'packages/cli/src/generated/',
      'packages/client/src/generated/',
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
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      // One program over all sources and tests is several times faster than one for each workspace.
      parserOptions: {
        project: ['tsconfig.tools.json', 'apps/console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
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
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: 'variableLike',
          format: ['camelCase'],
          leadingUnderscore: 'allowSingleOrDouble',
          // Names of the wire, and a class of the driver.
          filter: {
            regex: '^(Tmatch|Tpossible|MATCH|ERROR|Bucket|Key|Authorization|transform_expr|DriverQuery|_+)$',
            match: false,
          },
        },
        { selector: 'typeLike', format: ['PascalCase'] },
        // Names that the wire, the database or the environment give.
        { selector: ['objectLiteralProperty', 'typeProperty', 'objectLiteralMethod'], format: null },
        { selector: 'variable', modifiers: ['destructured'], format: null },
        { selector: 'parameter', modifiers: ['destructured'], format: null },
        { selector: 'import', format: null },
      ],
      'max-lines': ['error', 400],
      'max-params': ['error', 4],
      'no-restricted-properties': ['error', environmentOutsideConfig],
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportDeclaration[source.value='node:process'] ImportSpecifier[imported.name='env']",
          message: environmentOutsideConfig.message,
        },
        { selector: 'AssignmentExpression[operator=/^[+-]=$/][right.value=1]', message: 'Write ++ or --.' },
      ],
    },
  },
  {
    // A component is a function that is named like a type.
    files: ['apps/console/src/**/*.tsx'],
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'function', format: ['camelCase', 'PascalCase'] },
        { selector: 'variable', modifiers: ['destructured'], format: null },
        { selector: 'parameter', modifiers: ['destructured'], format: null },
        { selector: 'variable', format: ['camelCase', 'PascalCase'] },
        { selector: 'typeLike', format: ['PascalCase'] },
      ],
    },
  },
  {
    // A row of a table of cases is a list of arguments.
    files: ['**/*.test.ts', '**/testing/**/*.ts', 'packages/engine/fuzz/**/*.ts'],
    rules: { 'max-params': ['error', 7] },
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
