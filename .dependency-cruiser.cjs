/**
 * Who may know whom. An arrow that is not drawn in ARCHITECTURE.md is an error here.
 */
const pure =
  '^src/(core|abr|paths|qoe|scenario|brain|optimum|sim|experiments|ports|ipc|report|transport/codec)/';
const tests = '\\.test\\.ts$|/testing/|/contract/|^src/[^/]+/.*\\.privileged\\.test\\.ts$';

const layer = (name, comment, from, allowed) => ({
  name,
  severity: 'error',
  comment,
  from: { path: `^src/${from}/`, pathNot: tests },
  to: { path: '^src/', pathNot: `^src/(${allowed})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'pure-layers-know-no-platform',
      severity: 'error',
      comment:
        'Pure layers run in the player, the simulator and the lab alike: no Node, no DOM, no I/O package.',
      from: { path: pure, pathNot: `${tests}|^src/report/client/` },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev'],
        pathNot: '^node_modules/(valibot|yaml|jstat)',
      },
    },
    layer('core-knows-nobody', 'core is the root of the graph', 'core', 'core'),
    layer('abr-knows-core', 'abr decides from plain data', 'abr', 'core|qoe|abr'),
    layer('paths-knows-core', 'paths decides from plain data', 'paths', 'core|qoe|paths'),
    layer('qoe-knows-core', 'qoe scores plain events', 'qoe', 'core|qoe'),
    layer('ports-know-types', 'ports are types', 'ports', 'core|abr|paths|qoe|ports'),
    layer('ipc-knows-ports', 'one schema for all channels', 'ipc', 'core|qoe|ports|ipc'),
    layer(
      'transport-is-an-edge',
      'transport never sees the player or the lab',
      'transport',
      'core|abr|paths|qoe|ports|ipc|transport',
    ),
    layer(
      'player-is-an-edge',
      'the player never sees Node, the transport or the lab',
      'player',
      'core|abr|paths|qoe|brain|ports|ipc|player',
    ),
    layer(
      'one-decision',
      'paths and bitrate are decided together',
      'brain',
      'core|abr|paths|qoe|brain',
    ),
    layer('optimum-is-pure', 'what could have been had', 'optimum', 'core|qoe|scenario|optimum'),
    layer(
      'scenarios-are-data',
      'the lab and the simulator read the same files',
      'scenario',
      'core|scenario',
    ),
    layer(
      'sim-is-pure',
      "the simulator runs the product's own decisions and nothing else",
      'sim',
      'core|abr|paths|qoe|brain|ports|scenario|sim',
    ),
    layer(
      'experiments-are-pure',
      'what an experiment runs and says; who runs it is not its matter',
      'experiments',
      'core|abr|paths|qoe|brain|ports|scenario|optimum|sim|report|experiments',
    ),
    layer(
      'lab-is-an-edge',
      'the lab never sees player or transport',
      'lab',
      'core|qoe|ports|scenario|lab',
    ),
    layer(
      'report-is-pure',
      'reports are made from events',
      'report',
      'core|qoe|scenario|optimum|report',
    ),
    layer(
      'sdk-embeds-the-player',
      'the SDK is what runs in a page',
      'sdk',
      'core|abr|paths|qoe|ports|ipc|player|sdk',
    ),
    layer(
      'page-uses-the-sdk',
      'the page is an SDK user like any other',
      'page',
      'core|qoe|ports|ipc|sdk|page',
    ),
    layer(
      'baseline-is-another-player',
      'another player is logged by the same recorder, and shares nothing that decides',
      'baseline',
      'core|qoe|ports|ipc|player|sdk|baseline',
    ),
    {
      name: 'only-transport-loads-the-addon',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/transport/native/' },
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
      comment: 'Import a folder through its index.ts.',
      from: { path: '^src/([^/]+)/', pathNot: tests },
      to: {
        path: '^src/(core|abr|paths|qoe|scenario|brain|optimum|sim|experiments|ports|ipc|lab|player|report|transport|sdk)/',
        pathNot: '^src/$1/|/index\\.ts$',
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
