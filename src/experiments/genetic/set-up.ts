import { createRandom } from '../../core';
import type { MediaSizes } from '../../scenario';
import { makeFilm } from '../film';
import { pathSelection } from './approaches';
import type { ControllerView } from './controller-view';
import { geneticSelectionConfig } from './genetic-selection';
import type { StreamJob } from './jobs';
import { drawLinks, LINK_TABLE, type LinkValues } from './link-values';
import { viewPath } from './selection';
import { busiestSwitch, quietestSwitch, switchGraph, type SwitchGraph } from './switch-graph';
import { listNearPaths, listPaths, type SwitchPath } from './switch-paths';

/** Section IV-A-1. */
export const FILM_RATES_BPS = [1500e3, 2000e3, 2500e3, 2600e3] as const;
export const SEGMENT_MS = 2000;
/** Interfaces of a client, which bounds its subflows. */
export const SUBFLOWS = 3;
/** Buffer target of a client: dash.js's default when the paper was written. */
export const BUFFER_MS = 12_000;

/** The network, places and film that a run's seed gives, and the choices of its controller. */
export interface StreamSetUp {
  graph: SwitchGraph;
  links: readonly LinkValues[];
  /** The server's switch. */
  server: number;
  /** The switch of each client. */
  places: readonly number[];
  film: MediaSizes;
  /** The paths of a client that joins now, first subflow first. */
  choose: (view: ControllerView, client: number) => SwitchPath[];
}

export function streamSetUp(job: StreamJob): StreamSetUp {
  const { topology, clients, approach, ablation, seed, filmMs } = job;
  const graph = switchGraph(topology, seed);
  const links = drawLinks(graph.links.length, LINK_TABLE[topology][clients], seed + 1000);
  const delaysMs = links.map(({ delayMs }) => delayMs);
  const server = ablation === 'edge-server' ? quietestSwitch(graph) : busiestSwitch(graph);
  const drawn = placeClients(graph, clients, seed + 2000, server);
  const places = ablation === 'one-place' ? drawn.map(() => drawn[0] ?? 0) : drawn;
  const select = pathSelection(approach, topology, ablation);
  const listed = (at: number): SwitchPath[] => {
    if (ablation !== 'all-paths') return listPaths(graph, at, server);
    const near = listNearPaths(graph, at, server, delaysMs, geneticSelectionConfig.maxDelayMs);
    return near.length > 0 ? near : listPaths(graph, at, server);
  };
  return {
    ...{ graph, links, server, places },
    film: makeFilm(FILM_RATES_BPS, SEGMENT_MS, Math.ceil(filmMs / SEGMENT_MS)),
    choose: (view, client) => {
      const candidates = listed(places[client] ?? server);
      const now = view.links();
      const paths = candidates.map((path) => viewPath(path, now, view.clientsOn(path)));
      const random = createRandom(seed + client);
      const chosen = select({ paths, links: now, subflows: SUBFLOWS, random });
      return chosen.flatMap((index) => candidates[index] ?? []);
    },
  };
}

/** Time after which a run counts as stuck. */
export const patienceMs = ({ clients, joinMs, filmMs }: StreamJob): number =>
  clients * joinMs + 4 * filmMs + 60_000;

/** Switches of the clients, drawn per trial, never the server's. */
export function placeClients(
  graph: SwitchGraph,
  count: number,
  seed: number,
  server = busiestSwitch(graph),
): number[] {
  const others = Array.from({ length: graph.switches }, (_, at) => at).filter(
    (at) => at !== server,
  );
  const random = createRandom(seed);
  return Array.from({ length: count }, () => others[Math.floor(random() * others.length)] ?? 0);
}
