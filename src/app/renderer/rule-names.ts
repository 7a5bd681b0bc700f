import type { AbrChoice } from '../../sdk';

/** What chooses the quality, by what it does. */
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
