import { sessionMetrics } from '../sweep/session-row';
import { readPlayers } from '../sweep/sweep-player';
import type { Experiment } from '../types';
import type { DecisionsJob, DecisionsOutcome } from './job';
import { planDecisions } from './plan';
import { reportDecisions } from './report';

/** Simulates one session. @throws Error for a job of the lab */
function run({ backend, scenario, player, seed, pageLoadMs }: DecisionsJob): DecisionsOutcome {
  if (backend === 'kernel') throw new Error('the lab plays these sessions');
  const paths = scenario.topology.paths.map(({ id }) => id);
  const [known] = readPlayers([player], paths);
  if (known === undefined) throw new Error(`player ${player}: it is not simulated`);
  return sessionMetrics(scenario, { player: known, scheduler: 'mainline', seed, pageLoadMs });
}

/** Our player and the references over the decision's scenarios, on real kernels and simulated. */
export const decisionsExperiment: Experiment<DecisionsJob, DecisionsOutcome> = {
  name: 'decisions',
  summary: 'our player, RobustMPC and dash.js over the scenarios of the decision, on real kernels',
  paper: '',
  trials: 'sessions of each player in each scenario (default: 5; 1 with --quick)',
  lasts: { quick: 'about 10 minutes', whole: 'about 8 hours on two cores' },
  plan: planDecisions,
  run,
  report: reportDecisions,
};
