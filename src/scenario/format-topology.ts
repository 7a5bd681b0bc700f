import * as v from 'valibot';
import { byName, fields, list, name, oneOf, text } from './format-fields';
import { directionEntries, graphLinkEntries, pathLinkEntries, pathLinkFormat } from './format-link';

const common = {
  ip: v.optional(oneOf(['ipv4', 'ipv6', 'dual'], 'an IP version'), 'ipv4'),
  congestionControl: v.optional(text(15)),
  congestionControls: v.optional(byName(text(15), 'congestion controls')),
};

const paths = byName(pathLinkFormat, 'paths');
const direction = fields(directionEntries);
const bottleneck = fields({ ...directionEntries, back: v.optional(direction) });
const roles = ['client', 'server', 'host', 'router'] as const;

const multihomed = fields({
  kind: v.literal('multihomed'),
  ...common,
  serverAddresses: v.optional(oneOf(['one', 'per-link'], 'a way to number the server')),
  paths,
});

const dumbbell = fields({
  kind: v.literal('dumbbell'),
  ...common,
  bottleneck1: bottleneck,
  bottleneck2: bottleneck,
  access: v.optional(direction),
  mediaFrom: v.optional(oneOf(['h2', 's2'], 'a host that can serve')),
});

const threePath = fields({
  kind: v.literal('three-path'),
  ...common,
  variant: oneOf(['baseline', '3p-50', '3p-150'], 'a variant'),
  paths: v.optional(paths),
});

const sharedBottleneck = fields({
  kind: v.literal('shared-bottleneck'),
  ...common,
  access: paths,
  shared: fields({ id: v.optional(name()), ...pathLinkEntries }),
});

const graph = fields({
  kind: v.literal('graph'),
  ...common,
  nodes: byName(
    v.union(
      [
        oneOf(roles, 'a role'),
        fields({
          role: oneOf(roles, 'a role'),
          congestionControl: v.optional(text(15)),
          addresses: v.optional(oneOf(['per-link', 'one'], 'a way to number it')),
        }),
      ],
      `expected one of ${roles.join(', ')}, or a map with role`,
    ),
    'nodes',
  ),
  links: byName(fields({ a: name(), b: name(), ...graphLinkEntries }), 'links'),
  routes: v.optional(list(fields({ from: name(), to: name(), via: list(name(), 32) }))),
  paths: v.optional(byName(list(name(), 32), 'paths')),
});

const kinds = ['multihomed', 'three-path', 'dumbbell', 'shared-bottleneck', 'graph'] as const;

/** The network of a scenario, by its kind. */
export const topologyFormat = v.variant(
  'kind',
  [multihomed, threePath, dumbbell, sharedBottleneck, graph],
  (issue) =>
    issue.path?.at(-1)?.key === 'kind'
      ? `expected one of ${kinds.join(', ')}`
      : `expected a map with kind: one of ${kinds.join(', ')}`,
);
export type TopologyFormat = v.InferOutput<typeof topologyFormat>;
