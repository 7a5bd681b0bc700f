// Kills labs in every supported way and searches for leftovers: `node scripts/lab-crash.mjs [--cycles 50]
// [--json]`.
import { parseArgs } from 'node:util';
import { register } from 'tsx/esm/api';

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const cycles = Number(values.cycles);
if (values.help || !Number.isInteger(cycles) || cycles < 1) {
  console.log('node scripts/lab-crash.mjs [--cycles 50] [--json]');
  process.exit(values.help ? 0 : 2);
}
register();
const { crashCycle, CRASHES, isClean } = await import('../src/lab/testing/crash-cycles.ts');
const reports = [];
for (let index = 0; index < cycles; index += 1) {
  const crash = CRASHES[index % CRASHES.length];
  // Spread evenly over the build.
  const report = await crashCycle(crash, ((index * 97) % 600) + 1);
  reports.push(report);
  const outcome = isClean(report) ? 'nothing left' : JSON.stringify(report);
  process.stderr.write(`${index + 1}/${cycles} ${crash}: ${outcome}\n`);
}
const dirty = reports.filter((report) => !isClean(report));
const namespaces = reports.reduce((sum, report) => sum + report.namespaceCount, 0);
if (values.json) console.log(JSON.stringify({ cycles, dirty, namespaces }));
else
  console.log(
    `${cycles} cycles, ${dirty.length} left something; ${namespaces} namespaces came and went`,
  );
process.exit(dirty.length === 0 ? 0 : 1);
