// Kills labs in every supported way and searches for leftovers: `node scripts/lab-crash.mjs --help`.
import { register } from 'tsx/esm/api';
import { readOptions, wrongOption } from './setup/options.mjs';

const USAGE = `node scripts/lab-crash.mjs [--cycles 50] [--json]

  --cycles   number of labs
  --json     prints one object at the end`;
const values = readOptions(USAGE, {
  cycles: { type: 'string', default: '50' },
  json: { type: 'boolean', default: false },
});
const cycles = Number(values.cycles);
if (!(Number.isInteger(cycles) && cycles >= 1)) {
  wrongOption(`--cycles ${values.cycles}: expected 1 or more`, USAGE);
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
