import type { Command } from 'commander';
import { gatherDoctorFacts } from './facts';
import { doctorExitCode, doctorFindings } from './findings';
import type { DoctorFacts, Finding, FindingLevel } from './model';

export interface DoctorOptions {
  /** One JSON document instead of text. */
  json?: boolean;
}

export interface DoctorIo {
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  gather?: () => Promise<DoctorFacts>;
}

const marks: Record<FindingLevel, { text: string; colour: number }> = {
  ok: { text: 'ok  ', colour: 32 },
  info: { text: 'info', colour: 36 },
  warn: { text: 'warn', colour: 33 },
  fail: { text: 'FAIL', colour: 31 },
};

/** The findings for people: a problem with its meaning and its remedy, a good result in one line. */
export function doctorLines(findings: readonly Finding[], colour: boolean): string[] {
  const paint = (text: string, code: number): string =>
    colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  const lines = findings.flatMap((finding) => {
    const mark = marks[finding.level];
    const head = `${paint(mark.text, mark.colour)}  ${finding.title}`;
    if (finding.level === 'ok') return [head];
    return [
      head,
      `      ${finding.meaning}`,
      ...(finding.fix === undefined ? [] : [`      ${paint(`mend: ${finding.fix}`, 1)}`]),
    ];
  });
  const count = (level: FindingLevel, noun: string): string => {
    const { length } = findings.filter((finding) => finding.level === level);
    return `${length} ${noun}${length === 1 ? '' : 's'}`;
  };
  const verdict =
    doctorExitCode(findings) === 0
      ? 'Multipath playback can work here'
      : 'Multipath playback cannot work here yet';
  return [...lines, '', `${verdict}: ${count('fail', 'failure')}, ${count('warn', 'warning')}.`];
}

/** Checks the machine and changes nothing. Returns the exit status: 1 if a check fails. */
export async function runDoctor(options: DoctorOptions, io: DoctorIo): Promise<number> {
  const findings = doctorFindings(await (io.gather ?? gatherDoctorFacts)());
  if (options.json === true) {
    io.stdout.write(
      `${JSON.stringify({ ok: doctorExitCode(findings) === 0, findings }, null, 2)}\n`,
    );
  } else {
    const colour = io.stdout.isTTY === true && process.env['NO_COLOR'] === undefined;
    io.stdout.write(`${doctorLines(findings, colour).join('\n')}\n`);
  }
  return doctorExitCode(findings);
}

/** Adds `doctor` to the program. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('check what this machine needs for multipath playback')
    .description(
      'Checks kernel, MPTCP, path manager, networks, player and demo needs. Each finding says what it ' +
        'means for playback and the command that mends it. Reads only. Exit status 1 when something fails.',
    )
    .option(
      '--json',
      'print one JSON document: { ok, findings: [{ id, level, title, meaning, fix }] }',
    )
    .action(async (options: DoctorOptions) => {
      process.exitCode = await runDoctor(options, { stdout: process.stdout });
    });
}
