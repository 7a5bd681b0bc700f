import { Argument, Option, type Command } from 'commander';
import {
  COUPLED_CONTROLS,
  coupledControlsLack,
  listCoupledControls,
  loadCoupledControls,
  PAIRED_CONTROLS,
  unloadCoupledControls,
} from '../../lab';
import { jsonText, print } from '../../runner/host';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  mpd_lia: 'LIA, RFC 6356',
  mpd_olia: 'OLIA, Khalili et al. 2013',
  mpd_balia: 'BALIA, Peng et al. 2016',
  mpd_wvegas: 'wVegas, Cao et al. 2012',
  mpd_mcc: 'the control of MPTCP+',
};

/** `mpd_lia_ct`: LIA above Cubic, over the connection as a whole. */
function pairText(name: string): string {
  const [, coupled = '', path = '', scope] = /^(mpd_[a-z]+)_([rcb])([tp])$/.exec(name) ?? [];
  const above = DESCRIPTIONS[coupled]?.split(',')[0] ?? coupled;
  const below = { r: 'Reno', c: 'Cubic', b: 'BBR' }[path] ?? path;
  return `${above} with ${below}, ${scope === 't' ? 'over the whole connection' : 'path by path'}`;
}

async function printControls(json: boolean): Promise<void> {
  const controls = await listCoupledControls();
  const text = json
    ? jsonText(controls)
    : controls
        .map(({ name, isLoaded }) =>
          [
            name.padEnd(15),
            (isLoaded ? 'loaded' : '-').padEnd(8),
            DESCRIPTIONS[name] ?? pairText(name),
          ].join(''),
        )
        .join('\n');
  print(process.stdout, `${text}\n`);
}

async function printHint(): Promise<void> {
  const lack = await coupledControlsLack();
  // Not in the JSON, which is the state of the controls.
  if (lack !== undefined) print(process.stderr, `None can be loaded: ${lack}\n`);
}

/** `multipath-dash congestion load|list|unload`. */
export function addCongestionCommand(program: Command): void {
  const json = (): Option => new Option('--json', 'print the state of all controls as JSON');
  const names = (): Argument =>
    new Argument('[names...]', 'names; without any, all but the pairs').choices([
      ...COUPLED_CONTROLS,
      ...PAIRED_CONTROLS,
    ]);
  const group = program
    .command('congestion')
    .description('coupled congestion controls for the MPTCP of this kernel (BPF)')
    .addHelpText(
      'after',
      '\nlist works without privileges, and says what this kernel lacks for them. load and unload need CAP_BPF, CAP_PERFMON\nand CAP_NET_ADMIN: they add code to the kernel. A loaded control stays until unload or a reboot. The lab loads what\na scenario names by itself and unloads it at its end; load refuses such a control until then.\n\nA server uses a loaded control by setsockopt(TCP_CONGESTION), by its route (ip route ... congctl mpd_lia) or by\nnet.ipv4.tcp_congestion_control.',
    );
  group
    .command('list')
    .description('show which controls the kernel has')
    .addOption(json())
    .action(async ({ json: asJson = false }: { json?: boolean }) => {
      await printControls(asJson);
      await printHint();
    });
  for (const [verb, description, run] of [
    ['load', 'add controls to the kernel', loadCoupledControls],
    ['unload', 'take controls out of the kernel', unloadCoupledControls],
  ] as const) {
    group
      .command(verb)
      .description(description)
      .addArgument(names())
      .addOption(json())
      .action(async (chosen: string[], { json: asJson = false }: { json?: boolean }) => {
        await run(chosen.length === 0 ? COUPLED_CONTROLS : chosen);
        await printControls(asJson);
      });
  }
}
