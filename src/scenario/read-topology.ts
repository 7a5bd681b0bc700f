import type { PathLinkFormat } from './format-link';
import type { TopologyFormat } from './format-topology';
import type { ReadContext, ScenarioPath } from './problems';
import { accessFrom, directionFrom, given, middleboxFrom } from './read-link';
import { expandTopology } from './topology';
import { TopologyError, type FieldPath } from './topology-error';
import type { AccessLinkOptions, BottleneckOptions, TopologySource } from './topology-source';
import type { LinkSpec, Topology } from './types';

const HERE: ScenarioPath = ['topology'];

function accessesFrom(
  written: Readonly<Record<string, PathLinkFormat>>,
  key: string,
  context: ReadContext,
): AccessLinkOptions[] {
  return Object.entries(written).map(([id, path]) => ({
    id,
    ...accessFrom(path, [...HERE, key, id], context),
  }));
}

function bottleneckFrom(
  { back, ...forward }: Extract<TopologyFormat, { kind: 'dumbbell' }>['bottleneck1'],
  key: string,
  context: ReadContext,
): BottleneckOptions {
  const path = [...HERE, key];
  return {
    forward: directionFrom(forward, undefined, path, '', context),
    ...(back === undefined
      ? {}
      : { back: directionFrom(back, undefined, [...path, 'back'], '', context) }),
  };
}

function linkFrom(
  id: string,
  { a, b, ab, ba, middlebox, ...both }: Extract<TopologyFormat, { kind: 'graph' }>['links'][string],
  context: ReadContext,
): LinkSpec {
  const path = [...HERE, 'links', id];
  return {
    id,
    a,
    b,
    ab: directionFrom(both, ab, path, 'ab', context),
    ba: directionFrom(both, ba, path, 'ba', context),
    ...middleboxFrom(middlebox, [...path, 'middlebox'], context),
  };
}

/** The file's content as the topology's own options. */
function sourceFrom(written: TopologyFormat, context: ReadContext): TopologySource {
  const { congestionControl, congestionControls, ip } = written;
  const common = given({ ipVersion: ip, congestionControl, congestionControls });
  switch (written.kind) {
    case 'multihomed':
      return {
        kind: 'multihomed',
        ...common,
        ...given({ serverAddresses: written.serverAddresses }),
        paths: accessesFrom(written.paths, 'paths', context),
      };
    case 'three-path':
      return {
        kind: 'three-path',
        ...common,
        variant: written.variant,
        ...(written.paths === undefined
          ? {}
          : { paths: accessesFrom(written.paths, 'paths', context) }),
      };
    case 'dumbbell':
      return {
        kind: 'dumbbell',
        ...common,
        bottleneck1: bottleneckFrom(written.bottleneck1, 'bottleneck1', context),
        bottleneck2: bottleneckFrom(written.bottleneck2, 'bottleneck2', context),
        ...(written.access === undefined
          ? {}
          : { access: directionFrom(written.access, undefined, [...HERE, 'access'], '', context) }),
        ...given({ mediaFrom: written.mediaFrom }),
      };
    case 'shared-bottleneck': {
      const { id, ...shared } = written.shared;
      return {
        kind: 'shared-bottleneck',
        ...common,
        access: accessesFrom(written.access, 'access', context),
        shared: { ...accessFrom(shared, [...HERE, 'shared'], context), ...given({ id }) },
      };
    }
    case 'graph':
      return {
        kind: 'graph',
        ...common,
        nodes: Object.entries(written.nodes).map(([id, node]) => ({
          id,
          ...(typeof node === 'string' ? { role: node } : given(node)),
        })),
        links: Object.entries(written.links).map(([id, link]) => linkFrom(id, link, context)),
        ...(written.routes === undefined ? {} : { routes: written.routes }),
        ...(written.paths === undefined
          ? {}
          : { paths: Object.entries(written.paths).map(([id, via]) => ({ id, via })) }),
      };
  }
}

/**
 * The options are lists where the file has names: `['links', 2, 'a']` is `['topology', 'links', 'r1-r2',
 * 'a']` there.
 */
function placeInFile(written: TopologyFormat, path: FieldPath): ScenarioPath {
  const [list, index, ...rest] = path;
  const entries = typeof list === 'string' ? (written as Record<string, unknown>)[list] : undefined;
  if (typeof index === 'number' && typeof entries === 'object' && !Array.isArray(entries)) {
    const id = Object.keys(entries ?? {})[index];
    if (id !== undefined) return [...HERE, list ?? '', id, ...rest];
  }
  return [...HERE, ...path];
}

/** Nodes, links, routes and paths; undefined after a reported problem. */
export function topologyFrom(written: TopologyFormat, context: ReadContext): Topology | undefined {
  const source = sourceFrom(written, context);
  try {
    return expandTopology(source);
  } catch (error) {
    if (!(error instanceof TopologyError)) throw error;
    context.problems.add(placeInFile(written, error.path), error.reason);
    return undefined;
  }
}
