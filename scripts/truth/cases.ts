import { parsePathSpec, type PathSpec } from '../../src/lab';

/** Downloads over some paths: objects in sequence on one persistent connection, or one endless download. */
export interface KernelCase {
  name: string;
  /** Paths in the lab's syntax. */
  paths: readonly string[];
  /** Undefined: one download without an end. */
  objectBytes?: number;
  /** Congestion control of the server. Default: Cubic. */
  control?: 'reno' | 'bbr';
}

/** 2 s of a stream of 4.4 and of 1.2 Mbit/s. */
const LARGE = 1_100_000;
const SMALL = 300_000;

const NEAR = '4mbit,20ms';
const WIFI = '5mbit,10ms';
const LOSSY = '600kbit,150ms,1%';
const three = ['6mbit,15ms', '3mbit,30ms', '2mbit,50ms'];

/** Single paths first, as references for several. The first path of a case with several is its best. */
export const KERNEL_CASES: readonly KernelCase[] = [
  { name: '4', paths: [NEAR], objectBytes: LARGE },
  { name: '5', paths: [WIFI], objectBytes: LARGE },
  { name: '5 small', paths: [WIFI], objectBytes: SMALL },
  { name: '6', paths: ['6mbit,15ms'], objectBytes: LARGE },
  { name: '6 endless', paths: ['6mbit,15ms'] },
  { name: '4+3', paths: [NEAR, '3mbit,40ms'], objectBytes: LARGE },
  { name: '4+1', paths: [NEAR, '1mbit,40ms'], objectBytes: LARGE },
  { name: '5+0.6 lossy', paths: [WIFI, LOSSY], objectBytes: LARGE },
  { name: '5+0.6 lossy, small', paths: [WIFI, LOSSY], objectBytes: SMALL },
  { name: '6+3+2', paths: three, objectBytes: LARGE },
  { name: '6+3+2 endless', paths: three },
  { name: '6 reno', paths: ['6mbit,15ms'], objectBytes: LARGE, control: 'reno' },
  { name: '6 bbr', paths: ['6mbit,15ms'], objectBytes: LARGE, control: 'bbr' },
  { name: '4+3 reno', paths: [NEAR, '3mbit,40ms'], objectBytes: LARGE, control: 'reno' },
  { name: '4+3 bbr', paths: [NEAR, '3mbit,40ms'], objectBytes: LARGE, control: 'bbr' },
  {
    name: '6+3 PIE',
    paths: ['6mbit,15ms,qdisc=pie,target=15ms', '3mbit,30ms,qdisc=pie,target=15ms'],
  },
];

export function pathsOf({ paths }: KernelCase): PathSpec[] {
  return paths.map(parsePathSpec);
}

/** The reference of a case with several paths: the same download over the first path alone. */
export function singleOf(one: KernelCase): KernelCase | undefined {
  return one.paths.length === 1
    ? undefined
    : KERNEL_CASES.find(
        ({ paths, objectBytes, control }) =>
          paths.length === 1 &&
          paths[0] === one.paths[0] &&
          objectBytes === one.objectBytes &&
          control === one.control,
      );
}

/** Measured or simulated values of a case. */
export interface CaseResult {
  name: string;
  /** Rate of the application's bytes. */
  goodputBps: number;
  /** Bytes of each path to the client, as IP packets. */
  pathBps: number[];
}
