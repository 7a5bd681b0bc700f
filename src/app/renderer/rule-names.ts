import type { AbrChoice } from '../../sdk';

/** Each bitrate rule, described by its input. */
export const ruleNames: Readonly<Record<AbrChoice, string>> = {
  multipath: 'forecast of all networks',
  dynamic: "dash.js's own choice",
  bola: 'buffer only (BOLA)',
  throughput: 'throughput only',
  l2a: 'online learning (L2A)',
  lolp: 'low latency (LoL+)',
  'robust-mpc': 'RobustMPC',
  soda: 'SODA',
};
