import { checkTopology, MAX_PATHS } from '../topology-check';
import { TopologyError } from '../topology-error';
import { checkCount, checkName, checkNames } from '../topology-names';
import type { SharedBottleneckOptions } from '../topology-source';
import type { Topology } from '../types';
import { accessLink } from './access';
import { makeNodes } from './nodes';

/** @throws TopologyError */
export function expandSharedBottleneck(options: SharedBottleneckOptions): Topology {
  const { access } = options;
  const shared = { ...options.shared, id: options.shared.id ?? 'shared' };
  checkCount('access links', access.length, [2, MAX_PATHS], ['access']);
  checkNames(
    access.map(({ id }) => id),
    (index) => ['access', index, 'id'],
  );
  checkName(shared.id, ['shared', 'id']);
  if (access.some(({ id }) => id === shared.id)) {
    throw new TopologyError(['shared', 'id'], `"${shared.id}" is an access link already`);
  }
  return checkTopology({
    ipVersion: options.ipVersion ?? 'ipv4',
    nodes: makeNodes(
      [
        { id: 'client', role: 'client' },
        { id: 'gateway', role: 'router' },
        { id: 'server', role: 'server' },
      ],
      options,
    ),
    links: [
      ...access.map((link) => accessLink(link, 'client', 'gateway')),
      accessLink(shared, 'gateway', 'server'),
    ],
    routes: [],
    paths: access.map(({ id }) => ({ id, via: [id, shared.id] })),
  });
}
