import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Section, TruthOptions } from './rows';

const RELEASES = ['24', '20'] as const;

/** 20 of "20.19.1", "v20" or "20". */
export const majorOf = (release: string): string => /\d+/.exec(release)?.[0] ?? release;

/** A release of Node to compare with, other than the running one. */
export const otherRelease = (here: string): string =>
  RELEASES.find((release) => release !== majorOf(here)) ?? RELEASES[0];

const program = path.join(import.meta.dirname, 'hashes.ts');

function hashes(command: string, args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(command, [...args, '--import', 'tsx', program], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout.trim().split('\n');
}

/**
 * The same seeds on this Node and on another: every log and every counter, bit by bit.
 * @param release of Node
 */
export function checkEngines({ progress }: TruthOptions, release: string): Section {
  const title = `The same bytes on Node ${process.versions.node} and Node ${release}`;
  progress(`simulations on Node ${process.versions.node}`);
  const here = hashes(process.execPath, []);
  progress(`simulations on Node ${release}`);
  let there: string[];
  try {
    there = hashes('npx', ['-y', '-p', `node@${release}`, 'node']);
  } catch (error) {
    return { name: 'engines', title, rows: [], refusal: String(error) };
  }
  const alike = here.filter((line, index) => line === there[index]).length;
  const differing = here.filter((line, index) => line !== there[index]);
  return {
    name: 'engines',
    title,
    rows: [
      {
        what: 'simulations with the same hash: schedulers, controls, queues, sessions, experiments',
        unit: '',
        truth: here.length,
        simulated: alike,
        boundDifference: 0,
        ...(differing.length === 0 ? {} : { note: differing.join('; ') }),
      },
    ],
  };
}
