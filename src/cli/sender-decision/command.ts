import { InvalidArgumentError, Option, type Command } from 'commander';
import { interruptible, INTERRUPTED_STATUS, print, warn } from '../../runner/host';
import { readPort } from '../../runner/options';
import { runSenderPathUse, type SenderChange } from '../../runner/sender';
import { PATH_USE, readQuantity } from '../../scenario';

interface SenderCommandOptions {
  port: number[];
  n: number;
  rho: number;
  period: number;
  json?: boolean;
}

/** The addon's sampler has the same limits. */
const PERIOD_MS = { least: 10, most: 10_000 };

const collectPort = (text: string, before: number[] = []): number[] => [...before, readPort(text)];

function readPeriod(text: string): number {
  const quantity = readQuantity(text);
  const isTime = quantity?.kind === 'time';
  if (isTime && quantity.value >= PERIOD_MS.least && quantity.value <= PERIOD_MS.most) {
    return quantity.value;
  }
  throw new InvalidArgumentError('write it like 100ms or 1s: from 10ms to 10s');
}

/** The policy has the same limits. */
function readSamples(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError('expected a whole number from 1 to 10000');
}

function readShare(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('expected a number from 0 to 1');
}

function line({ token, local, remote, backup, reason }: SenderChange): string {
  const name = token.toString(16).padStart(8, '0');
  return `${name}  ${local} to ${remote}  ${backup ? 'backup' : 'active'}  ${reason}\n`;
}

/** `multipath-dash sender-decision`. */
export function addSenderDecisionCommand(program: Command): void {
  program
    .command('sender-decision')
    .description("MPTCP+ beside a server: takes paths out of use by the sender's measurements")
    .addOption(
      new Option('--port <port>', 'port of the server (required); may be repeated')
        .argParser(collectPort)
        .makeOptionMandatory(),
    )
    .option(
      '--n <samples>',
      'samples of a path in its weighted average',
      readSamples,
      PATH_USE.samples,
    )
    .option(
      '--rho <share>',
      "share of the best path's average that a path must exceed",
      readShare,
      PATH_USE.rho,
    )
    .addOption(
      new Option('--period <time>', 'time between samples')
        .argParser(readPeriod)
        .default(PATH_USE.periodMs, `${PATH_USE.periodMs}ms`),
    )
    .option('--json', 'print each change as a line of JSON')
    .addHelpText(
      'after',
      '\nAlgorithm 1 of MPTCP+ for each connection of the server: a path whose window over round trip, averaged\n' +
        "over n samples with weights 1 to n, is not above rho times the best path's becomes a backup (MP_PRIO).\n" +
        '\nNeeds CAP_NET_ADMIN, and the path manager in user space before the server opens its port:\n' +
        '  sysctl -w net.mptcp.pm_type=1\n' +
        'It is then the path manager: clients can open further subflows only while it runs. Ctrl-C makes its\n' +
        'backups active again.\n' +
        '\nIt runs until Ctrl-C. Exit status: 130 then, 1 if this machine lacks something, 2 wrong usage.',
    )
    .action(async ({ port, n, rho, period, json = false }: SenderCommandOptions) => {
      await interruptible((signal) =>
        runSenderPathUse({
          ports: port,
          samples: n,
          rho,
          periodMs: period,
          signal,
          onChange: (change) =>
            print(process.stdout, json ? `${JSON.stringify(change)}\n` : line(change)),
          onNote: warn,
          onReady: () => warn(`deciding for the connections to port ${port.join(', ')}`),
        }),
      );
      process.exitCode = INTERRUPTED_STATUS;
    });
}
