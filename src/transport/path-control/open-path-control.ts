import { PathControlError, type PathControl, type PathControlCapability } from '../../ports';
import { createNetworkEvents, createRouteLookup, type EventsNote } from '../events';
import { monotonicNowMs } from '../monotonic-clock';
import { createConnectionPathControl, type WatchedConnections } from './connection-path-control';
import { openDirectChannel } from './direct-channel';
import { openDirectConnections } from './direct-connections';
import { openHelperChannel } from './helper-channel';
import { openHelperConnections } from './helper-connections';
import { defaultJournalFolder, Journal } from './journal';
import { createLinuxPathControl, type LinuxPathControlOptions } from './linux-path-control';
import { pathManagerKind, readPathManager } from './path-manager-kind';

export interface OpenPathControlOptions extends Partial<
  Pick<LinuxPathControlOptions, 'foreignEndpoints' | 'isUsed' | 'shownState' | 'onError'>
> {
  /** How to start the helper, such as `['/usr/local/libexec/mpd-pathctl']`; tried where this process lacks the privilege. */
  helper?: readonly string[] | undefined;
  /** Where the journal lies; by default `multipath-dash` in XDG_RUNTIME_DIR. Without either there is none. */
  journalFolder?: string | undefined;
  /** Which connections are the player's: with the userspace path manager only they get subflows. Default none. */
  watched?: WatchedConnections | undefined;
  onNote?: ((note: EventsNote) => void) | undefined;
  /** Content of net.mptcp.path_manager, or of net.mptcp.pm_type; by default the kernel's. */
  readPathManager?: (() => string | undefined) | undefined;
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

/** With this process's own privilege, else through the helper where there is one. */
async function openEither<T>(
  direct: () => Promise<T>,
  viaHelper: (command: readonly string[]) => Promise<T>,
  helper: readonly string[] | undefined,
): Promise<T> {
  try {
    return await direct();
  } catch (error) {
    if (helper) return viaHelper(helper);
    throw error;
  }
}

/** By endpoint: the kernel's own path manager makes and ends the subflows. */
async function openByEndpoint(options: OpenPathControlOptions): Promise<PathControl> {
  const channel = await openEither(openDirectChannel, openHelperChannel, options.helper);
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
    shownState: options.shownState,
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

const nobody: WatchedConnections = { tokens: () => new Set(), onObserved: () => undefined };

/** By connection: nobody else makes subflows, so this does, for the player's connections alone. */
async function openByConnection(options: OpenPathControlOptions): Promise<PathControl> {
  const onNote = options.onNote ?? (() => undefined);
  const channel = await openEither(
    () => openDirectConnections(onNote),
    openHelperConnections,
    options.helper,
  );
  const events = createNetworkEvents({
    onChange: (change) => void control.networkChanged(change),
    onNote,
  });
  const routes = createRouteLookup();
  const control = createConnectionPathControl({
    channel,
    table: events.table,
    watched: options.watched ?? nobody,
    reaches: (to, from, interfaceIndex) => routes.reaches(to, from, interfaceIndex),
    nowMs: monotonicNowMs,
    later(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
    onError: options.onError ?? (() => undefined),
  });
  await events.start();
  return {
    ...control,
    async close() {
      await control.close();
      events.close();
      routes.close();
    },
  };
}

/**
 * Takes control of the paths in this process's network namespace, with its own CAP_NET_ADMIN or through the
 * helper: by endpoint, after undoing what a crashed player left, or by connection where the path manager is in user
 * space. Without either, a control that refuses and says what it could do; never rejects.
 */
export async function openPathControl(options: OpenPathControlOptions = {}): Promise<PathControl> {
  const kind = pathManagerKind((options.readPathManager ?? readPathManager)());
  if (kind === 'other') {
    // Endpoints of ours would change nothing, and pretending is worse than saying so.
    return unavailable(
      'Paths cannot be switched: this system leaves them to a path manager loaded into the kernel. ' +
        'With `sudo sysctl -w net.mptcp.pm_type=0` the player could take a harmful path out of use.',
    );
  }
  try {
    return await (kind === 'userspace' ? openByConnection(options) : openByEndpoint(options));
  } catch (error) {
    const why = `Paths cannot be switched (${reasonOf(error)}).`;
    const withHelper =
      'With the helper mpd-pathctl installed (native/helper/README.md) the player could';
    return unavailable(
      kind === 'userspace'
        ? `${why} The path manager is in user space, so that connections stay on one path until somebody opens others. ` +
            `${withHelper} do that for its own, and switch and end them.`
        : `${why} ${withHelper} take a harmful path out of use and survive a lost link at once.`,
    );
  }
}
