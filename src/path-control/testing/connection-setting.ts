import { InterfaceTable, type LinkUpdate } from '../../kernel';
import type { LiveConnection } from '../connections/connection-channel';
import {
  createConnectionPathControl,
  type ConnectionPathControl,
} from '../connections/connection-path-control';
import type { UnheardFlag } from '../../core';
import { createFakeConnections, liveSubflow, type FakeConnections } from './fake-connections';

export const WIFI = '10.0.1.2';
export const LTE = '10.0.2.2';
const server = { address: '10.9.0.1', port: 443 };
/** An established connection over Wi-Fi. */
export const connection = (token: number, more: Partial<LiveConnection> = {}): LiveConnection => ({
  token,
  remote: server,
  subflows: [liveSubflow(WIFI)],
  ...more,
});
export const wwan = (up: boolean): LinkUpdate => ({ index: 3, name: 'wwan0', up, loopback: false });

export interface Setting {
  channel: FakeConnections;
  table: InterfaceTable;
  control: ConnectionPathControl;
  tokens: Set<number>;
  /** Addresses without a route. */
  unreachable: Set<string>;
  observe: () => Promise<void>;
  /** The server did not hear the flag of this subflow. */
  unhear: (flag: UnheardFlag) => Promise<void>;
  change: (changes: ReturnType<InterfaceTable['setLink']>) => Promise<void>;
  /** Advances the clock by this time. */
  pass: (ms: number) => Promise<void>;
  errors: unknown[];
  details: string[];
}

/** A control of two networks over fakes. */
export function setting(live: LiveConnection[], watched = live.map(({ token }) => token)): Setting {
  const table = new InterfaceTable();
  table.setLink({ index: 1, name: 'lo', up: true, loopback: true });
  table.addAddress(1, '127.0.0.1');
  table.setLink({ index: 2, name: 'wlan0', up: true, loopback: false });
  table.setLink(wwan(true));
  table.addAddress(2, WIFI);
  table.addAddress(3, LTE);
  const channel = createFakeConnections(live);
  const tokens = new Set(watched);
  const unreachable = new Set<string>();
  const errors: unknown[] = [];
  const details: string[] = [];
  let listener: (changed: boolean) => void = () => undefined;
  let unheard: (flags: readonly UnheardFlag[]) => void = () => undefined;
  let nowMs = 0;
  const timers = new Map<symbol, { atMs: number; work: () => void }>();
  const control = createConnectionPathControl({
    channel,
    table,
    watched: {
      tokens: () => tokens,
      onObserved: (onObserved) => void (listener = onObserved),
      onUnheard: (onUnheard) => void (unheard = onUnheard),
    },
    reaches: (_to, from) => Promise.resolve(!unreachable.has(from)),
    nowMs: () => nowMs,
    later(delayMs, work) {
      const key = Symbol('timer');
      timers.set(key, { atMs: nowMs + delayMs, work });
      return () => timers.delete(key);
    },
    onError: (error) => errors.push(error),
  });
  control.onChange(({ detail }) => details.push(detail));
  const settled = async (): Promise<void> => {
    await control.list();
  };
  return {
    channel,
    table,
    control,
    tokens,
    unreachable,
    errors,
    details,
    async observe() {
      listener(true);
      await settled();
    },
    async unhear(flag) {
      unheard([flag]);
      await settled();
    },
    async change(changes) {
      for (const item of changes) await control.networkChanged(item);
    },
    async pass(ms) {
      nowMs += ms;
      for (const [key, { atMs, work }] of [...timers]) {
        if (atMs > nowMs) continue;
        timers.delete(key);
        work();
      }
      await settled();
    },
  };
}
