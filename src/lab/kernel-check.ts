import { isLinkEvent, type Scenario } from '../scenario';
import type { LabError } from './errors';
import { toLinkChange, toLinkOptions } from './link-emulator-scenario';
import { kernelRefusal } from './link-kernel';
import {
  kernelChange,
  kernelLinkCommands,
  type KernelLink,
  planKernelLink,
} from './link-kernel-plan';
import { enterSandbox } from './sandbox';

/** Prints the number of the failed command and its output. */
const TRY_ALL = `
n=0
while [ $# -gt 0 ]; do
  said=$($1 2>&1) || { echo "$n $said"; exit 0; }
  n=$((n + 1)); shift
done`;

type Network = Pick<Scenario, 'topology' | 'events'>;

/**
 * Plans a scenario's links of the kernel's own qdiscs, and follows its events through them. Needs no privilege.
 * @returns commands that create the links
 * @throws LabError BAD_OPTION for a feature of the emulator only
 */
export function planKernelNetwork(scenario: Network): string[][] {
  const links = new Map<string, KernelLink>();
  const commands = scenario.topology.links.flatMap((link, index) => {
    const ends = { a: { device: `a${index}` }, b: { device: `b${index}` } };
    const { options } = toLinkOptions(link, ends, 1);
    links.set(link.id, planKernelLink(options));
    return kernelLinkCommands(options, index).map(({ argv }) => argv);
  });
  for (const event of scenario.events) {
    if (!isLinkEvent(event) || event.kind === 'address-change') continue;
    const link = links.get(event.link);
    if (link === undefined) continue;
    const change = event.kind === 'link-change' ? toLinkChange(event.link, event, 0).change : event;
    links.set(event.link, kernelChange(link, change).link);
  }
  return commands;
}

/**
 * Checks that the kernel's own qdiscs can emulate a scenario's links: first its fields and events, then by
 * creating the links in a throw-away sandbox.
 * @throws LabError BAD_OPTION for a feature of the emulator only, MODULE_MISSING, COMMAND_FAILED
 */
export async function checkKernelLinks(scenario: Network): Promise<void> {
  const failed = await firstFailure(planKernelNetwork(scenario));
  if (failed !== undefined) throw failed;
}

async function firstFailure(commands: readonly string[][]): Promise<LabError | undefined> {
  let said = '';
  await enterSandbox({
    argv: ['sh', '-c', TRY_ALL, 'sh', ...commands.map((argv) => argv.join(' '))],
    stdio: 'pipe',
    onStdout: (text) => {
      said += text;
    },
  });
  const [, number, message = ''] = /^(\d+) ([^]*)/.exec(said) ?? [];
  return number === undefined ? undefined : kernelRefusal(commands[Number(number)] ?? [], message);
}
