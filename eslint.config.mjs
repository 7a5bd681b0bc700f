import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import globals from 'globals';

const impureGlobals = [
  'process',
  'window',
  'document',
  'fetch',
  'setTimeout',
  'setInterval',
  'performance',
  'Date',
].map((name) => ({
  name,
  message: `pure layers take clocks, input and output as arguments; move what needs '${name}' to an edge layer (ARCHITECTURE.md)`,
}));

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'native/build/**',
      '.cache/**',
      'runs/**',
      'test-results/**',
      'playwright-report/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['pure', 'node', 'dom', 'test'].map((name) => `./tsconfig/${name}.json`),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-empty-function': 'off',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: [
      'src/{core,abr,paths,qoe,scenario,brain,optimum,sim,experiments,ports,ipc}/**/*.ts',
      'src/report/*.ts',
      'src/transport/codec/**/*.ts',
    ],
    ignores: ['**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-globals': ['error', ...impureGlobals],
      'no-restricted-properties': [
        'error',
        {
          object: 'Math',
          property: 'random',
          message: 'pure layers get their randomness as an argument (core/prng)',
        },
      ],
    },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: { globals: { ...globals.node } },
  },
);
