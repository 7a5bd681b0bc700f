import { errorText, type NetworkWish } from '../../core';
import type { RequestGuard } from '../../fetch';
import type { MptcpLaunch } from '../../ipc';
import { loadNative, monotonicClock } from '../../kernel';
import type { SharedPathControl } from '../../path-control';
import {
  openCarriage,
  type BudgetLedger,
  type CarriageChoice,
  type OpenCarriage,
} from '../../transport';
import { APP_ORIGIN } from './scheme';

export interface AppCarriageOptions {
  choice: CarriageChoice;
  /** Origin of the stream's server; undefined: a file of this computer. */
  origin: string | undefined;
  networks: readonly NetworkWish[];
  /** What the streams of this run received over each network. */
  ledger: BudgetLedger;
  launch: MptcpLaunch;
  guard: RequestGuard;
  /** The proxy through which Chromium reaches a URL. */
  proxyFor: (url: URL) => Promise<string | undefined>;
  kernelControl: SharedPathControl | undefined;
  /** Called with the reason where another carriage is taken than was asked for. */
  onNote: (text: string) => void;
}

/**
 * Opens what fetches a stream's media over every network: the gateway of `src/fetch`, in this process. Undefined where
 * Chromium's own sockets carry the stream, by choice or because the gateway cannot be opened.
 */
export async function openAppCarriage(
  options: AppCarriageOptions,
): Promise<OpenCarriage | undefined> {
  const { choice, guard, onNote } = options;
  if (choice === 'mptcp') return undefined;
  try {
    const carriage = await openCarriage({
      choice,
      addon: loadNative(),
      clock: monotonicClock,
      playerSpeaksMptcp: options.launch.state === 'preloaded',
      origin: options.origin,
      kernelControl: options.kernelControl,
      networks: options.networks,
      ledger: options.ledger,
      proxyFor: options.proxyFor,
      onNote,
      onRefused: onNote,
      permits: (address) => guard.permits(address),
    });
    carriage.allowPage(APP_ORIGIN);
    guard.serves(carriage.gatewayOrigin);
    return carriage;
  } catch (error) {
    onNote(`media keep to the system's routes: ${errorText(error)}`);
    return undefined;
  }
}
