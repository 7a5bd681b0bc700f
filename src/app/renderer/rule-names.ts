import type { AbrChoice } from '../../sdk';

/** The words of a bitrate rule, described by its input. A rule without words shows its name. */
const words: Readonly<Partial<Record<AbrChoice, string>>> = {
  multipath: 'forecast of all networks',
  dynamic: "dash.js's own choice",
  bola: 'buffer only (BOLA)',
  throughput: 'throughput only',
  l2a: 'online learning (L2A)',
  lolp: 'low latency (LoL+)',
  'robust-mpc': 'RobustMPC',
  soda: 'SODA',
  'throughput-2016': 'throughput only (dash.js of 2016)',
};

/** The menu's text for a bitrate rule. */
export function ruleLabel(rule: AbrChoice): string {
  return words[rule] ?? rule;
}
