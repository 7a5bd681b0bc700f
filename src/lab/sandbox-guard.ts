import { Socket } from 'node:net';
import { constants } from 'node:os';
import { isInsideSandbox } from './sandbox';

/** Descriptor of the pipe from the outer process; 0 to 2 are the standard streams. */
const LIFELINE_FD = 3;

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}

/**
 * Call this first in a program that runs inside a sandbox. It passes on the signals that the outer process
 * forwards: to handlers set with `process.on`, else the process ends as by the signal. It ends this process,
 * and so the whole sandbox, when the outer one has ended.
 */
export function guardSandbox(): void {
  if (!isInsideSandbox()) return;
  const lifeline = new Socket({ fd: LIFELINE_FD, readable: true, writable: false });
  lifeline.setEncoding('utf8');
  lifeline.on('data', (text: unknown) => {
    for (const name of String(text).split('\n')) {
      if (!isSignal(name)) continue;
      if (!process.emit(name, name)) process.exit(128 + constants.signals[name]);
    }
  });
  const end = (): never => process.exit(1);
  lifeline.on('end', end);
  lifeline.on('error', end);
  // The pipe must not keep a finished program alive.
  lifeline.unref();
}
