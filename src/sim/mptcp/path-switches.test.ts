import { expect, it } from 'vitest';
import { Packet } from '../packet';
import { PathSwitches } from './path-switches';

it('counts consecutive data packets on different paths, and forwards every packet', () => {
  const switches = new PathSwitches();
  const arrived: number[] = [];
  const end = { receive: ({ sizeBytes }: Packet) => arrived.push(sizeBytes) };
  const taps = [switches.tap(0), switches.tap(1)];
  const send = (path: number, chunk: object | undefined): void => {
    const tap = taps[path];
    if (tap !== undefined) new Packet(100 + path, 1, 0, [tap, end], { chunk }).forward();
  };
  const data = { bytes: 48, dataSeq: 0 };
  for (const path of [0, 0, 1, 1, 0]) send(path, data);
  expect([switches.count, switches.packets]).toEqual([2, 5]);
  // An acknowledgement carries no data and does not count.
  send(1, undefined);
  send(0, data);
  expect([switches.count, switches.packets]).toEqual([2, 6]);
  expect(arrived).toEqual([100, 100, 101, 101, 100, 101, 100]);
});
