import { readFileSync } from 'node:fs';
import { PathControlError, type PathControl, type PathControlCapability } from '../../ports';
import { createNetworkEvents, type EventsNote } from '../events';
import type { EndpointChannel } from './channel';
import { openDirectChannel } from './direct-channel';
import { openHelperChannel } from './helper-channel';
import { defaultJournalFolder, Journal } from './journal';
import { createLinuxPathControl, type LinuxPathControlOptions } from './linux-path-control';

export interface OpenPathControlOptions extends Partial<
  Pick<LinuxPathControlOptions, 'foreignEndpoints' | 'isUsed' | 'onError'>
> {
  /** How to start the helper, such as `['/usr/local/libexec/mpd-pathctl']`; tried where this process lacks the privilege. */
  helper?: readonly string[] | undefined;
  /** Where the journal lies; by default `multipath-dash` in XDG_RUNTIME_DIR. Without either there is none. */
  journalFolder?: string | undefined;
  onNote?: ((note: EventsNote) => void) | undefined;
  /** Content of net.mptcp.pm_type; by default the kernel's. */
  readPathManager?: (() => string | undefined) | undefined;
}

/** Which path manager this network namespace has; undefined on kernels before 5.19, which have but the one. */
function readPathManager(): string | undefined {
  try {
    return readFileSync('/proc/sys/net/mptcp/pm_type', 'utf8');
  } catch {
    return undefined;
  }
}

/** The path managers that do not look at endpoints; 0 is the kernel's own. */
const otherPathManagers: Partial<Record<string, string>> = {
  '1': 'a path manager in user space such as mptcpd',
  '2': 'a path manager loaded into the kernel',
};

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Refuses everything, saying what could be done. */
function unavailable(reason: string): PathControl {
  const refuse = (): Promise<never> => Promise.reject(new PathControlError('DENIED', reason));
  const capability: PathControlCapability = { available: false, reason };
  return {
    capability: () => capability,
    list: refuse,
    setState: refuse,
    onChange: () => () => undefined,
    restore: refuse,
    close: () => Promise.resolve(),
  };
}

async function openChannel(helper: readonly string[] | undefined): Promise<EndpointChannel> {
  try {
    return await openDirectChannel();
  } catch (error) {
    if (helper) return openHelperChannel(helper);
    throw error;
  }
}

/**
 * Takes control of the paths in this process's network namespace, with its own CAP_NET_ADMIN or through the
 * helper, after undoing what a crashed player left. Without either, a control that refuses and says what it
 * could do; never rejects.
 */
export async function openPathControl(options: OpenPathControlOptions = {}): Promise<PathControl> {
  const other = otherPathManagers[(options.readPathManager ?? readPathManager)()?.trim() ?? '0'];
  if (other !== undefined) {
    // Endpoints of ours would change nothing, and pretending is worse than saying so.
    return unavailable(
      `Paths cannot be switched: this system leaves them to ${other} (net.mptcp.pm_type is not 0). ` +
        'With `sudo sysctl -w net.mptcp.pm_type=0` the player could take a harmful path out of use.',
    );
  }
  let channel: EndpointChannel;
  try {
    channel = await openChannel(options.helper);
  } catch (error) {
    return unavailable(
      `Paths cannot be switched (${reasonOf(error)}). With the helper mpd-pathctl installed ` +
        '(native/helper/README.md) the player could take a harmful path out of use and survive a lost link at once.',
    );
  }
  const onError = options.onError ?? (() => undefined);
  const folder = options.journalFolder ?? defaultJournalFolder();
  let journal: Journal | undefined;
  try {
    journal = folder === undefined ? undefined : new Journal(folder);
  } catch (error) {
    onError(error);
  }
  const events = createNetworkEvents({
    onChange: (change) => void control.networkChanged(change),
    onNote: options.onNote ?? (() => undefined),
  });
  const control = createLinuxPathControl({
    channel,
    table: events.table,
    journal,
    foreignEndpoints: options.foreignEndpoints ?? 'keep',
    isUsed: options.isUsed,
    onError,
  });
  await events.start();
  await control.restore().catch(onError);
  return {
    ...control,
    async close() {
      await control.close();
      events.close();
    },
  };
}
