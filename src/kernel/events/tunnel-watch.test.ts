import { describe, expect, it, vi } from 'vitest';
import { InterfaceTable } from '../codec';
import type { NetworkEventsOptions } from './network-events';
import type { RouteLookup } from './route-lookup';
import { watchTunnel } from './tunnel-watch';

const WLAN = 2;

/** A machine with Wi-Fi and a bridge of containers, whose kernel gives these answers. */
function machine({ hasEvents = true, names = ['wlan0', 'docker0'] } = {}) {
  const interfaceTo = vi.fn<RouteLookup['interfaceTo']>();
  const createEvents = ({ onNote }: NetworkEventsOptions) => {
    const table = new InterfaceTable();
    table.setLink({ index: WLAN, name: 'wlan0', up: true, loopback: false });
    table.setLink({ index: 3, name: 'docker0', up: true, loopback: false });
    const start = (): Promise<void> => {
      if (!hasEvents) onNote({ code: 'EVENTS_UNAVAILABLE', message: 'no netlink' });
      return Promise.resolve();
    };
    return { table, start, close: () => undefined };
  };
  const watch = watchTunnel({
    onChange: () => undefined,
    isHardware: (name) => name === 'wlan0',
    routes: { interfaceTo, reaches: () => Promise.resolve(undefined), close: () => undefined },
    createEvents,
    listNames: () => names,
  });
  return { watch, interfaceTo };
}

describe('the watch for tunnels', () => {
  it('does not know without an answer of the kernel, and knows at the next one', async () => {
    const { watch, interfaceTo } = machine();
    await watch.ready;
    expect(watch.tunnel).toMatchObject({ state: 'unknown' });
    interfaceTo.mockResolvedValue(WLAN);
    await watch.alsoTo([]);
    expect(watch.tunnel).toEqual({ state: 'none' });
    // No route to IPv6 is an answer.
    interfaceTo.mockImplementation((to) => Promise.resolve(to.includes(':') ? 'none' : WLAN));
    await watch.alsoTo([]);
    expect(watch.tunnel).toEqual({ state: 'none' });
    watch.close();
  });

  it('does not know where the route leads to an interface whose event was lost', async () => {
    const { watch, interfaceTo } = machine();
    interfaceTo.mockResolvedValue(9);
    await watch.ready;
    expect(watch.tunnel).toMatchObject({ state: 'unknown' });
    watch.close();
  });

  it('asks again for an answer that was late', async () => {
    const { watch, interfaceTo } = machine();
    interfaceTo.mockReset().mockResolvedValue(WLAN).mockResolvedValueOnce(undefined);
    await watch.ready;
    expect(watch.tunnel).toEqual({ state: 'none' });
    watch.close();
  });

  it.each([
    [['wlan0', 'wg0'], 'unknown'],
    [['wlan0', 'eth0'], 'unknown'],
    [[], 'unknown'],
    [['wlan0'], 'none'],
  ])('judges %j by their names where events are not available: %s', async (names, state) => {
    // The index of the route means nothing without the kernel's table.
    const { watch, interfaceTo } = machine({ hasEvents: false, names });
    interfaceTo.mockResolvedValue(WLAN);
    await watch.ready;
    expect(watch.tunnel.state).toBe(state);
    watch.close();
  });
});
