import { networkOf, type WantedPathState, Listeners } from '../../core';
import {
  PathControlError,
  type EndpointInfo,
  type PathControl,
  type PathControlChange,
} from '../../ports';
import { sharePathControl, UsedAddresses, type SharedPathControl } from '../../path-control';
import type { NetworkFetcher } from '../../fetch';

/**
 * Applies a policy's states to the networks of a fetcher. `active` carries, `backup` carries while no active
 * network is present, `closed` does not. It changes nothing of the system, so it needs no privilege.
 */
export function createFetchPathControl(fetcher: NetworkFetcher): SharedPathControl {
  const listeners = new Listeners<PathControlChange>();
  let closed = false;

  const list = (): EndpointInfo[] =>
    fetcher.networks.flatMap(({ id, addresses }) =>
      addresses.slice(0, 1).map((address) => ({
        pathId: id,
        interfaceName: id,
        address,
        state: fetcher.wanted(id),
        origin: 'own' as const,
        changed: fetcher.wanted(id) !== 'active',
      })),
    );
  const notify = (detail: string): void => {
    listeners.call({ detail, endpoints: list() });
  };
  const restore = (): Promise<void> => {
    for (const { id } of fetcher.networks) fetcher.want(id, 'active');
    return Promise.resolve();
  };

  const control: PathControl = {
    capability: () => ({ available: true, through: 'direct', scope: 'connections' }),
    list: () => Promise.resolve(list()),
    setState(pathId: string, state: WantedPathState) {
      const id = networkOf(pathId);
      if (closed) return Promise.reject(new PathControlError('CLOSED', 'the control was closed'));
      if (!fetcher.networks.some((network) => network.id === id)) {
        return Promise.reject(new PathControlError('NO_SUCH_PATH', `there is no network ${id}`));
      }
      if (fetcher.wanted(id) !== state) {
        fetcher.want(id, state);
        notify(`${id} is ${state}`);
      }
      return Promise.resolve();
    },
    onChange: (listener) => listeners.add(listener),
    restore,
    async close() {
      closed = true;
      await restore();
    },
  };
  return sharePathControl(control, new UsedAddresses());
}
