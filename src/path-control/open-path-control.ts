import { errorText, type PathControlCapability } from '../core';
import { PathControlError, type PathControl } from '../ports';
import { createNetworkEvents, createRouteLookup, type EventsNote, monotonicNowMs } from '../kernel';
import {
  createConnectionPathControl,
  type WatchedConnections,
} from './connections/connection-path-control';
import { openDirectChannel } from './endpoints/direct-channel';
import { openDirectConnections } from './connections/direct-connections';
import { openHelperChannel } from './helper/helper-channel';
import { openHelperConnections } from './helper/helper-connections';
import { defaultUndoFolder, UndoRecord } from './endpoints/undo-record';
import {
  createLinuxPathControl,
  type LinuxPathControlOptions,
} from './endpoints/linux-path-control';
import { pathManagerKind, readPathManager } from './path-manager-kind';

export interface OpenPathControlOptions extends Partial<
  Pick<LinuxPathControlOptions, 'foreignEndpoints' | 'isUsed' | 'shownState' | 'onError'>
> {
  /**
   * Command of the helper, such as `['/usr/local/libexec/mpd-pathctl']`. It is tried if this process lacks
   * the privilege.
   */
  helper?: readonly string[] | undefined;
  /**
   * Folder of the undo record. Default: `multipath-dash` in XDG_RUNTIME_DIR, for root also in `/run`. Without
   * either there is no undo record.
   */
  undoFolder?: string | undefined;
  /**
   * The connections of the player. Backup flags that do not reach their server are repeated. With the userspace path
   * manager only they get subflows. Default: none.
   */
  watched?: WatchedConnections | undefined;
  onNote?: ((note: EventsNote) => void) | undefined;
  /** Content of net.mptcp.path_manager, or of net.mptcp.pm_type; by default the kernel's. */
  readPathManager?: (() => string | undefined) | undefined;
}

function later(delayMs: number, work: () => void): () => void {
  const timer = setTimeout(work, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Refuses every request and names a remedy. */
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

/** Uses this process's own privilege, else the helper if there is one. */
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

/** The same control. Its `close` releases more, once the control is closed. */
const closingAlso = (control: PathControl, release: () => void): PathControl => ({
  capability: () => control.capability(),
  list: () => control.list(),
  setState: (pathId, state) => control.setState(pathId, state),
  onChange: (listener) => control.onChange(listener),
  restore: () => control.restore(),
  async close() {
    await control.close();
    release();
  },
});

/** By endpoint: the kernel's own path manager opens and ends the subflows. */
async function openByEndpoint(options: OpenPathControlOptions): Promise<PathControl> {
  const channel = await openEither(openDirectChannel, openHelperChannel, options.helper);
  const onError = options.onError ?? (() => undefined);
  const folder = options.undoFolder ?? defaultUndoFolder();
  let undoRecord: UndoRecord | undefined;
  try {
    undoRecord = folder === undefined ? undefined : new UndoRecord(folder);
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
    undoRecord,
    foreignEndpoints: options.foreignEndpoints ?? 'keep',
    isUsed: options.isUsed,
    shownState: options.shownState,
    later,
    onError,
  });
  options.watched?.onUnheard((flags) => void control.repeatFlags(flags));
  await events.start();
  await control.restore().catch(onError);
  return closingAlso(control, () => events.close());
}

const nobody: WatchedConnections = {
  tokens: () => new Set(),
  onObserved: () => undefined,
  onUnheard: () => undefined,
};

/** By connection: no other process opens subflows, so this one does, for the player's connections only. */
async function openByConnection(options: OpenPathControlOptions): Promise<PathControl> {
  const onNote = options.onNote ?? (() => undefined);
  const channel = await openEither(
    () => openDirectConnections(onNote),
    (command) => openHelperConnections(command, onNote),
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
    later,
    onError: options.onError ?? (() => undefined),
  });
  await events.start();
  return closingAlso(control, () => {
    events.close();
    routes.close();
  });
}

/**
 * Takes control of the paths in this process's network namespace, with its own CAP_NET_ADMIN or through the
 * helper. With the kernel's path manager it works by endpoint, after it undid the leftovers of a crashed
 * player. With the path manager in user space it works by connection. Without either it returns a control
 * that refuses and names the remedy. Never rejects.
 */
export async function openPathControl(options: OpenPathControlOptions = {}): Promise<PathControl> {
  const kind = pathManagerKind((options.readPathManager ?? readPathManager)());
  if (kind === 'other') {
    // Endpoints would have no effect here, so an error is better than a silent no-op.
    return unavailable(
      'Paths cannot be switched: this system leaves them to a path manager loaded into the kernel. ' +
        'With `sudo sysctl -w net.mptcp.pm_type=0` the player could take a harmful path out of use.',
    );
  }
  try {
    return await (kind === 'userspace' ? openByConnection(options) : openByEndpoint(options));
  } catch (error) {
    const why = `Paths cannot be switched (${errorText(error)}).`;
    const withHelper =
      'With the helper mpd-pathctl installed (native/helper/README.md) the player could';
    return unavailable(
      kind === 'userspace'
        ? `${why} The path manager is in user space, so connections stay on one path until another process opens subflows. ` +
            `${withHelper} do that for its own, and switch and end them.`
        : `${why} ${withHelper} take a harmful path out of use and survive a lost link at once.`,
    );
  }
}
