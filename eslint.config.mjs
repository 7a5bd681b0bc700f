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

const restrictedSyntax = [
  {
    selector:
      ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
    message: 'a private member is #name: the engine keeps it private, not only the compiler',
  },
  {
    selector: `:matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind="const"] > VariableDeclarator[id.name=/[a-z]/][init.raw=/^['"0-9]/]`,
    message: 'a constant of the file that is one number or text is UPPER_CASE',
  },
];

/** Electron 22 has Chromium 108 and Node 16. */
const tooNew = {
  object: 'URL',
  property: 'canParse',
  message: 'needs Chromium 120 and Node 19.9; use parseUrl',
};

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'packages/*/dist/**',
      'e2e/sdk/consumer/**',
      'native/build/**',
      'prebuilds/**',
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
      // One dialect: a literal of the whole file is UPPER_CASE, a private member is #name.
      '@typescript-eslint/parameter-properties': ['error', { allow: ['readonly'] }],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: [
      'src/{core,session-log,scenario,estimate,policy,abr,chunks,brain,journal,qoe,optimum,sim,experiments,ports,ipc}/**/*.ts',
      'src/report/*.ts',
      'src/kernel/codec/**/*.ts',
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
        tooNew,
      ],
    },
  },
  {
    files: ['src/{cli,runner}/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**', 'src/runner/host/{terminal,output}.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...restrictedSyntax,
        {
          selector:
            'CallExpression[callee.object.object.name="process"][callee.object.property.name=/^std(out|err)$/][callee.property.name="write"]',
          message: 'print() keeps control characters of others off the terminal',
        },
      ],
    },
  },
  {
    // The app's code must run in the oldest supported runtime as well.
    files: ['src/{app,controls,fetch,kernel,page,path-control,player,sdk,transport}/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**', 'src/kernel/codec/**'],
    rules: {
      'no-restricted-properties': ['error', tooNew],
    },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: { globals: { ...globals.node } },
  },
);
