// The truth table: see scripts/truth.mjs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { errorText } from '../../src/core';
import { checkEngines, majorOf, otherRelease } from './engines';
import { checkForms } from './forms';
import { checkCoupled } from './coupled';
import { checkKernel } from './kernel';
import { checkNs3 } from './ns3/compare';
import { checkWalks } from './walks';
import { isWithin, type Section, SECTION_NAMES, type SectionName, type TruthOptions } from './rows';
import { renderSection, writeSection } from './table';

const README = path.resolve(import.meta.dirname, '../../src/sim/README.md');
const OUT_OF_BOUNDS = 1;
const BAD_ARGUMENT = 2;
const NOT_RUN = 3;

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(BAD_ARGUMENT);
}

function parsed() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        json: { type: 'string' },
        node: { type: 'string', default: otherRelease(process.versions.node) },
      },
    }).values;
  } catch (error) {
    return refuse(`${errorText(error)} (see --help)`);
  }
}

function readArguments(): {
  only: SectionName[];
  quick: boolean;
  write: boolean;
  json: string | undefined;
  node: string;
} {
  const values = parsed();
  const only = values.only?.split(',') ?? [...SECTION_NAMES];
  for (const name of only) {
    if (!(SECTION_NAMES as readonly string[]).includes(name)) {
      refuse(`--only ${name}: there are ${SECTION_NAMES.join(', ')}`);
    }
  }
  if (values.quick && values.write) refuse('--quick is too short for the table: leave out --write');
  const here = process.versions.node;
  if (only.includes('engines') && majorOf(values.node) === majorOf(here)) {
    refuse(`--node ${values.node}: this is Node ${here} itself; name another release`);
  }
  return { ...values, only: only as SectionName[], json: values.json };
}

const { only, quick, write, json, node } = readArguments();
const options: TruthOptions = {
  quick,
  progress: (line) => process.stderr.write(`[truth] ${line}\n`),
};
const checks: Record<SectionName, () => Section | Promise<Section>> = {
  kernel: () => checkKernel(options),
  coupled: () => checkCoupled(options),
  walks: () => checkWalks(options),
  ns3: () => checkNs3(options),
  forms: () => checkForms(options),
  engines: () => checkEngines(options, node),
};
const sections: Section[] = [];
for (const name of only) {
  const section = await checks[name]();
  sections.push(section);
  if (section.refusal !== undefined) {
    process.stderr.write(`[truth] ${name} was not run: ${section.refusal}\n`);
    continue;
  }
  for (const { what, reason } of section.refused ?? []) {
    process.stderr.write(`[truth] ${name}: ${what} was not run: ${reason}\n`);
  }
  process.stdout.write(`${renderSection(section)}\n\n`);
  if (write) await writeSection(README, section);
}
if (json !== undefined) writeFileSync(json, `${JSON.stringify(sections, null, 2)}\n`);
const outside = sections.flatMap(({ rows }) => rows).filter((row) => isWithin(row) === false);
for (const { what } of outside) process.stderr.write(`[truth] out of its bound: ${what}\n`);
const missing = sections.some(
  ({ refusal, refused }) => refusal !== undefined || refused !== undefined,
);
process.exit(outside.length > 0 ? OUT_OF_BOUNDS : missing ? NOT_RUN : 0);
