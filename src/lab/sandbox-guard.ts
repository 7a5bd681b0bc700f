import { Socket } from 'node:net';
import { constants } from 'node:os';
import { isInsideSandbox } from './sandbox';

const LIFELINE_FD = 3;

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}

/**
 * To be called first by a program that runs inside a sandbox. Passes on the signals the outer process forwards
 * (to the handlers set with `process.on`, else the process ends as the signal would end it) and ends this
 * process, and with it the whole sandbox, when the outer one is gone.
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
  // The pipe alone must not keep a finished program alive.
  lifeline.unref();
}
