import { checkTopology, MAX_PATHS } from '../topology-check';
import { checkCount, checkNames } from '../topology-names';
import type { MultihomedOptions } from '../topology-source';
import type { Topology } from '../types';
import { accessLink } from './access';
import { makeNodes } from './nodes';

/** @throws TopologyError */
export function expandMultihomed(options: MultihomedOptions): Topology {
  checkCount('paths', options.paths.length, [1, MAX_PATHS], ['paths']);
  checkNames(
    options.paths.map(({ id }) => id),
    (index) => ['paths', index, 'id'],
  );
  return checkTopology({
    ipVersion: options.ipVersion ?? 'ipv4',
    nodes: makeNodes(
      [
        { id: 'client', role: 'client' },
        { id: 'server', role: 'server', addresses: options.serverAddresses ?? 'one' },
      ],
      options,
    ),
    links: options.paths.map((path) => accessLink(path, 'client', 'server')),
    routes: [],
    paths: options.paths.map(({ id }) => ({ id, via: [id] })),
  });
}
