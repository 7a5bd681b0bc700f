import { parsePathSpec, type PathSpec } from '../../src/lab';

/** Downloads over some paths: objects one after the other on one persistent connection, or one without an end. */
export interface KernelCase {
  name: string;
  /** As the lab writes them. */
  paths: readonly string[];
  /** Undefined: one download without an end. */
  objectBytes?: number;
}

/** 2 s of a stream of 4.4 and of 1.2 Mbit/s. */
const LARGE = 1_100_000;
const SMALL = 300_000;

const near = '4mbit,20ms';
const wifi = '5mbit,10ms';
const lossy = '600kbit,150ms,1%';
const three = ['6mbit,15ms', '3mbit,30ms', '2mbit,50ms'];

/** Single paths first: what several are judged by. The first path of a case with several is its best. */
export const KERNEL_CASES: readonly KernelCase[] = [
  { name: '4', paths: [near], objectBytes: LARGE },
  { name: '5', paths: [wifi], objectBytes: LARGE },
  { name: '5 small', paths: [wifi], objectBytes: SMALL },
  { name: '6', paths: ['6mbit,15ms'], objectBytes: LARGE },
  { name: '6 endless', paths: ['6mbit,15ms'] },
  { name: '4+3', paths: [near, '3mbit,40ms'], objectBytes: LARGE },
  { name: '4+1', paths: [near, '1mbit,40ms'], objectBytes: LARGE },
  { name: '5+0.6 lossy', paths: [wifi, lossy], objectBytes: LARGE },
  { name: '5+0.6 lossy, small', paths: [wifi, lossy], objectBytes: SMALL },
  { name: '6+3+2', paths: three, objectBytes: LARGE },
  { name: '6+3+2 endless', paths: three },
  {
    name: '6+3 PIE',
    paths: ['6mbit,15ms,qdisc=pie,target=15ms', '3mbit,30ms,qdisc=pie,target=15ms'],
  },
];

export function pathsOf({ paths }: KernelCase): PathSpec[] {
  return paths.map(parsePathSpec);
}

/** What a case with several paths is to beat: the same download over the first path alone. */
export function singleOf(one: KernelCase): KernelCase | undefined {
  return one.paths.length === 1
    ? undefined
    : KERNEL_CASES.find(
        ({ paths, objectBytes }) =>
          paths.length === 1 && paths[0] === one.paths[0] && objectBytes === one.objectBytes,
      );
}

/** What was measured or simulated of a case. */
export interface CaseResult {
  name: string;
  /** Of the application. */
  goodputBps: number;
  /** What each path carried to the client, IP packets. */
  pathBps: number[];
}
