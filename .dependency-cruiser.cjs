/**
 * The layers: each folder with the folders that it may import. Any other import is an error, in tests too. A
 * test may import what its folder may import, the folder's own files past the door, and any folder's `testing/` helpers.
 */

/** Each folder of src with the folders it may import. Arrows run down only. */
const layers = {
  core: [],
  'session-log': ['core'],
  scenario: ['core'],
  estimate: ['core'],
  policy: ['core', 'estimate'],
  abr: ['core'],
  brain: ['core', 'estimate', 'policy', 'abr'],
  journal: ['core', 'session-log', 'estimate', 'abr', 'brain'],
  chunks: ['core', 'policy'],
  qoe: ['core', 'session-log'],
  optimum: ['core', 'scenario'],
  ports: ['core', 'session-log'],
  ipc: ['core', 'session-log', 'ports'],
  kernel: ['core', 'ports', 'ipc'],
  'path-control': ['core', 'ports', 'kernel'],
  fetch: ['core', 'chunks', 'ports', 'ipc', 'kernel'],
  transport: ['core', 'session-log', 'chunks', 'ports', 'ipc', 'kernel', 'path-control', 'fetch'],
  player: [
    ...['core', 'session-log', 'estimate', 'policy', 'abr', 'brain', 'journal'],
    ...['ports', 'ipc'],
  ],
  lab: ['core', 'scenario'],
  sim: ['core', 'session-log', 'abr', 'brain', 'journal', 'chunks', 'qoe', 'scenario'],
  report: ['core', 'session-log', 'qoe', 'scenario', 'optimum'],
  experiments: [
    ...['core', 'session-log', 'policy', 'abr', 'brain', 'journal', 'qoe', 'scenario', 'optimum'],
    ...['sim', 'report'],
  ],
  runner: [
    ...['core', 'session-log', 'policy', 'qoe', 'ports', 'ipc', 'kernel', 'path-control'],
    ...['fetch', 'transport', 'lab', 'scenario', 'report', 'experiments'],
  ],
  sdk: ['core', 'session-log', 'estimate', 'policy', 'abr', 'ports', 'ipc', 'player'],
  controls: ['core', 'session-log', 'qoe', 'ports', 'ipc', 'sdk'],
  page: ['core', 'session-log', 'ports', 'ipc', 'sdk', 'controls'],
  baseline: ['core', 'session-log', 'ports', 'ipc', 'player', 'sdk'],
  app: [
    ...[
      'core',
      'session-log',
      'qoe',
      'ports',
      'ipc',
      'kernel',
      'path-control',
      'fetch',
      'transport',
    ],
    ...['player', 'runner', 'sdk', 'controls'],
  ],
  cli: [
    ...[
      'core',
      'brain',
      'journal',
      'qoe',
      'scenario',
      'ports',
      'ipc',
      'kernel',
      'transport',
      'lab',
    ],
    ...['report', 'runner', 'experiments', 'app'],
  ],
};

/** They have no index.ts: nothing imports them but a command that starts the app. */
const programs = ['app', 'cli'];

const pure = [
  ...['core', 'session-log', 'scenario', 'estimate', 'policy', 'abr', 'brain', 'journal', 'chunks'],
  ...['qoe', 'optimum', 'sim', 'experiments', 'ports', 'ipc', 'report', 'kernel/codec'],
];
const tests = '\\.test\\.ts$|/testing/|/contract/';
const helpers = '/testing/|/contract/';

const group = (names) => `^src/(${names.join('|')})/`;

/** One rule for a folder's product code, one for its tests. */
const rules = Object.entries(layers).flatMap(([folder, below]) => [
  {
    name: `${folder}-knows-what-is-below`,
    severity: 'error',
    comment: `src/${folder} may import ${below.length > 0 ? below.join(', ') : 'nothing'}`,
    from: { path: `^src/${folder}/`, pathNot: tests },
    to: { path: '^src/', pathNot: group([folder, ...below]) },
  },
  {
    name: `tests-of-${folder}-know-what-is-below`,
    severity: 'error',
    comment: `a test that needs more than ${folder} may import belongs to a folder further up`,
    from: { path: `^src/${folder}(?=/).*(${tests})` },
    to: { path: '^src/', pathNot: `${group([folder, ...below])}|${helpers}` },
  },
]);

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'pure-layers-know-no-platform',
      severity: 'error',
      comment:
        'Pure layers run in the player, the simulator and the lab alike: no Node, no DOM, no I/O package.',
      from: { path: group(pure), pathNot: `${tests}|^src/report/client/` },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev'],
        pathNot: '^node_modules/(valibot|yaml|jstat|d3-scale|d3-shape)',
      },
    },
    ...rules,
    {
      name: 'only-kernel-loads-the-addon',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/kernel/native/' },
      to: { path: '^native/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-test-code-in-product',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '\\.test\\.ts$|/testing/|/contract/' },
    },
    {
      name: 'one-door-a-folder',
      severity: 'error',
      comment:
        'Import a folder through its index.ts; the SDK has one door for each entry of its package.',
      from: { path: '^src/([^/]+)/', pathNot: tests },
      to: {
        path: group(Object.keys(layers).filter((folder) => !programs.includes(folder))),
        pathNot: '^src/$1/|/index\\.ts$|^src/sdk/(core|hls|panel|shaka)\\.ts$',
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
