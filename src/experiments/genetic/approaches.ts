import { widestDisjointPaths, likestDisjointPaths } from './fully-disjoint';
import { geneticSelectionConfig, selectGenetically } from './genetic-selection';
import { shortestPaths, widestPaths } from './partially-disjoint';
import type { PathSelection } from './selection';
import type { TopologyName } from './switch-graph';

/** The paper's five selections, and none: every subflow over the route with the fewest links. */
export const APPROACHES = [
  'genetic',
  'partial-bandwidth',
  'partial-delay',
  'full-bandwidth',
  'full-delay',
  'none',
] as const;
export type Approach = (typeof APPROACHES)[number];

/**
 * A property of the set-up, changed alone. `per-path`: equation 9 counts the clients of a whole path.
 * `all-paths`: every path within the delay limit is a candidate. `controller`: the search takes its time, and
 * begins when the first packet of a client reaches the controller. `one-place`: all clients are at one switch.
 * `edge-server`: the server is at a switch with the fewest links. `mainline`: Linux's scheduler replaces minRTT.
 */
export const GENETIC_ABLATIONS = [
  'per-path',
  'all-paths',
  'controller',
  'one-place',
  'edge-server',
  'mainline',
] as const;
export type GeneticAblation = (typeof GENETIC_ABLATIONS)[number];

/** The selections that the paper's figures compare with the genetic one. */
export const COMPARED = APPROACHES.filter((one) => one !== 'genetic' && one !== 'none');

export const APPROACH_TITLES: Readonly<Record<Approach, string>> = {
  genetic: 'Genetic',
  'partial-bandwidth': 'Partially disjoint, bandwidth',
  'partial-delay': 'Partially disjoint, delay',
  'full-bandwidth': 'Fully disjoint, bandwidth',
  'full-delay': 'Fully disjoint, delay',
  none: 'No path selection',
};

/** Population by topology (section IV-B-2). */
export const POPULATIONS: Readonly<Record<TopologyName, number>> = {
  custom: 28,
  compuserve: 150,
  jellyfish: 300,
};

export function pathSelection(
  approach: Approach,
  topology: TopologyName,
  ablation?: GeneticAblation,
): PathSelection {
  switch (approach) {
    case 'genetic': {
      const config = {
        ...geneticSelectionConfig,
        populationSize: POPULATIONS[topology],
        ...(ablation === 'per-path' ? { sharedBy: 'path' as const } : {}),
      };
      return (choice) => selectGenetically(choice, config).paths;
    }
    case 'partial-bandwidth':
      return widestPaths;
    case 'partial-delay':
      return shortestPaths;
    case 'full-bandwidth':
      return widestDisjointPaths;
    case 'full-delay':
      return likestDisjointPaths;
    case 'none':
      return ({ subflows }) => Array.from({ length: subflows }, () => 0);
  }
}
