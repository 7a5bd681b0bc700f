import type { PathId } from '../../core';
import { limits } from '../../ipc';
import type { EndpointInfo } from '../../ports';
import type { ControlledPath } from '../../session-log';

/** The endpoints of the kernel as paths of a report, one a network. */
export function toControlled(endpoints: readonly EndpointInfo[]): ControlledPath[] {
  const paths = new Map<PathId, ControlledPath>();
  for (const { pathId, interfaceName, state, origin, changed } of endpoints) {
    const known = paths.get(pathId);
    // Two addresses of one interface are one path. It is active if one of them is.
    const better = known && (known.state === 'active' || state === 'closed') ? known.state : state;
    paths.set(pathId, {
      pathId,
      ...(interfaceName === undefined ? {} : { interfaceName }),
      state: better,
      origin,
      changed: changed || known?.changed === true,
    });
  }
  return [...paths.values()].slice(0, limits.paths);
}
