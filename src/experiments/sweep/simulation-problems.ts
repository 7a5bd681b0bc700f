import { serverOf, type Name, type Scenario } from '../../scenario';
import { isCongestion } from './session-row';

interface SimulatedWith {
  /** The sweep names congestion controls in place of the server's. */
  hasOwnCongestion: boolean;
}

/** Nodes whose congestion control a simulated session reads. Calls (`voip`) have none. */
function senders({ topology, traffic }: Scenario, { hasOwnCongestion }: SimulatedWith): Name[] {
  const own = hasOwnCongestion ? [] : [serverOf(topology)];
  const others = traffic.filter(({ kind }) => kind !== 'voip').map(({ from }) => from);
  return [...new Set([...own, ...others])];
}

function mediaProblems({ media }: Scenario): string[] {
  if (media.kind === 'folder') return ['sizes of media in a folder are not known: take a ladder'];
  const isLive = media.kind === 'ladder' && media.live !== undefined;
  return isLive ? ['the simulator has no live streams: leave out media.live'] : [];
}

function controlProblems(scenario: Scenario, options: SimulatedWith): string[] {
  const names = senders(scenario, options);
  return scenario.topology.nodes.flatMap(({ id, congestionControl }) =>
    names.includes(id) && !isCongestion(congestionControl)
      ? [`the simulator has no congestion control ${congestionControl} (node ${id}): take another`]
      : [],
  );
}

function eventProblems({ events }: Scenario): string[] {
  const first = events.find(({ kind }) => kind !== 'link-state' && kind !== 'link-change');
  return first === undefined
    ? []
    : [
        `the simulator has no ${first.kind}: leave out the event at ${first.atMs / 1000} s, or run the scenario in the lab`,
      ];
}

/** What a scenario has and no simulated session can have, each with its remedy; empty if it can be simulated. */
export function simulationProblems(
  scenario: Scenario,
  options: SimulatedWith = { hasOwnCongestion: false },
): string[] {
  const { http } = scenario.server;
  const blocked = scenario.topology.links.find(({ middlebox }) => middlebox !== undefined);
  return [
    ...mediaProblems(scenario),
    ...(http === 'http1' ? [] : [`the simulator has no ${http}: set server.http=http1`]),
    ...(blocked === undefined
      ? []
      : [`the simulator has no middleboxes: leave out middlebox of link ${blocked.id}`]),
    ...eventProblems(scenario),
    ...controlProblems(scenario, options),
  ];
}
