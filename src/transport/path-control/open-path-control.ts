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
}

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
