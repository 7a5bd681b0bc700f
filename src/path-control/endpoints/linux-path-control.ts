import { networkOf, type PathId, type UnheardFlag, type WantedPathState } from '../../core';
import type { EndpointInfo, PathControl } from '../../ports';
import type { NetworkChange } from '../../kernel';
import type { EndpointChannel } from './channel';
import { ControlSession } from '../control-session';
import type { EndpointAction } from './endpoint-action';
import { EndpointEditor } from './endpoint-editor';
import { EndpointExecutor } from './endpoint-executor';
import { endpointInfos } from './endpoint-infos';
import type { EndpointUse, FoundEndpoints } from './endpoint-state';
import type { UndoRecord } from './undo-record';
import { planLoss, planRejoins, planReturn } from './network-plan';
import { planRepeats, planWanted } from './wanted-plan';

export interface LinuxPathControlOptions extends EndpointUse {
  channel: EndpointChannel;
  /** The interfaces; the caller that updates them also calls `networkChanged`. */
  table: FoundEndpoints['table'];
  undoRecord?: UndoRecord | undefined;
  /** Schedules one call and returns its cancellation. */
  later: (delayMs: number, work: () => void) => () => void;
  onError: (error: unknown) => void;
}

export interface LinuxPathControl extends PathControl {
  /** Call this when an interface or address was added or removed. */
  networkChanged(change: NetworkChange): Promise<void>;
  /** Repeats these backup flags to the servers, where an endpoint has them. Never rejects. */
  repeatFlags(flags: readonly UnheardFlag[]): Promise<void>;
}

/**
 * Time for another program that makes endpoints, such as NetworkManager, to move them to a new address. Chosen; no
 * measurement.
 */
const FOREIGN_REACTION_MS = 1000;

/** PathControl through the in-kernel path manager of this process's network namespace. */
export function createLinuxPathControl(options: LinuxPathControlOptions): LinuxPathControl {
  const { channel, table } = options;
  const editor = new EndpointEditor(channel, options.undoRecord);
  const executor = new EndpointExecutor(editor);
  const session = new ControlSession(options.onError);
  /** By network: cancels {@link regainLater}. */
  const later = new Map<string, () => void>();

  const list = async (): Promise<EndpointInfo[]> => endpointInfos(await executor.find(table));
  const report = async (detail: string): Promise<void> =>
    session.say({ detail, endpoints: await list() });

  /** Plans from the kernel's present state, and reports the changes. */
  const carryOut = async (
    plan: (found: FoundEndpoints) => EndpointAction[],
    detail: string,
  ): Promise<void> => {
    if (await executor.run(plan(await executor.find(table)))) await report(detail);
  };

  const setState = (pathId: PathId, state: WantedPathState): Promise<void> => {
    const name = networkOf(pathId);
    return carryOut((found) => planWanted(found, { name, state }, options), `${name} is ${state}`);
  };

  const regain = (name: string, abandoned = false): Promise<void> =>
    carryOut((found) => planReturn(found, { name, abandoned }, options), `${name} is back`);
  /** As {@link regain}, after the program that made the endpoints did nothing for a while. */
  const regainLater = (name: string): void => {
    later.get(name)?.();
    const work = (): void => {
      if (session.isClosing || session.gone) return;
      void session.inOrder(() => regain(name, true)).catch(options.onError);
    };
    later.set(name, options.later(FOREIGN_REACTION_MS, work));
  };

  const lose = async (name: string, address: string | undefined): Promise<void> => {
    await carryOut(
      (found) => planLoss(found, { name, address }, options),
      `${name} was lost: its subflows are closed`,
    );
    // The new address may have been added before the old one was removed.
    if (address !== undefined) await regain(name);
  };

  const rejoin = async (name: string): Promise<void> => {
    await executor.run(planRejoins(await executor.find(table), name, options));
  };

  const follow = async (name: string, { kind, address }: NetworkChange): Promise<void> => {
    if (kind === 'interface-down') return lose(name, undefined);
    if (kind === 'address-removed') return lose(name, address);
    await regain(name);
    if (kind === 'address-added') regainLater(name);
    if (kind === 'route-changed') await rejoin(name);
  };

  const restore = async (): Promise<void> => {
    executor.forgetAbsent();
    let undone = 0;
    try {
      undone += await editor.recover();
    } finally {
      // A failure to undo a crashed player's changes must not keep this player's in force.
      undone += await editor.restore();
      if (undone > 0) await report('all changes of paths were undone');
    }
  };

  channel.onGone?.((error) => session.end(error));

  return {
    capability: () => session.incapability() ?? { available: true, through: channel.through },
    list: () => session.whenOpen(list),
    setState: (pathId, state) => session.whenOpen(() => setState(pathId, state)),
    onChange: (listener) => session.onChange(listener),
    restore: () => session.whenOpen(restore),
    close() {
      for (const cancel of later.values()) cancel();
      return session.close(restore, () => editor.close());
    },
    async repeatFlags(flags) {
      if (session.isClosing || session.gone) return;
      const repeat = async (): Promise<void> => {
        await executor.run(planRepeats(await executor.find(table), flags));
      };
      await session.inOrder(repeat).catch(options.onError);
    },
    async networkChanged(change) {
      const { interfaceName } = change;
      if (interfaceName === undefined || session.isClosing) return;
      await session.inOrder(() => follow(interfaceName, change)).catch(options.onError);
    },
  };
}
