import { PathControlError } from '../../ports';
import { endpointFlag, type MptcpEndpoint } from '../codec';
import { Changes, sameEndpoint, undoOf, type EndpointChange } from './changes';
import type { EndpointChannel } from './channel';
import type { Journal } from './journal';

/** Ids the kernel gives out itself start at 1; ours are taken from the other end. */
const highestId = 255;

export const freeId = (endpoints: readonly MptcpEndpoint[]): number => {
  const taken = new Set(endpoints.map(({ endpointId }) => endpointId));
  for (let id = highestId; id > 0; id -= 1) if (!taken.has(id)) return id;
  throw new PathControlError('FAILED', 'all 255 endpoint ids are taken');
};

/**
 * Makes changes one by one: looks first, writes the journal, then changes. What was found is remembered,
 * so that everything can be put back.
 */
export class EndpointEditor {
  readonly changes = new Changes();
  readonly #channel: EndpointChannel;
  readonly #journal: Journal | undefined;

  constructor(channel: EndpointChannel, journal: Journal | undefined) {
    this.#channel = channel;
    this.#journal = journal;
  }

  list(): Promise<MptcpEndpoint[]> {
    return this.#channel.list();
  }

  /**
   * Brings the endpoint of an address from `current`, which the kernel just listed, to `target`.
   * @throws PathControlError; the endpoint is then as it was
   */
  async apply(
    address: string,
    current: MptcpEndpoint | undefined,
    target: MptcpEndpoint | undefined,
  ): Promise<void> {
    if (sameEndpoint(current, target)) return;
    this.changes.note(address, current, target);
    this.#write();
    try {
      if (current && target && (current.flags ^ target.flags) === endpointFlag.backup) {
        await this.#channel.setFlags(target);
      } else {
        if (current) await this.#channel.remove(current);
        if (target) await this.#channel.add(target);
      }
    } catch (error) {
      this.changes.note(address, target, current);
      throw error;
    } finally {
      this.changes.settle(address);
      this.#write();
    }
  }

  /** Ends the subflows from an address that no endpoint names. */
  async closeFirstSubflows(address: string): Promise<void> {
    await this.#channel.remove({ endpointId: 0, address, port: 0, flags: 0, interfaceIndex: 0 });
  }

  /** Puts back this player's own changes. */
  async restore(): Promise<number> {
    return this.#undo(this.changes.list(), (change) => this.changes.forget(change.address));
  }

  /** Puts back what a player that crashed left changed. */
  async recover(): Promise<number> {
    let undone = 0;
    for (const { changes, done } of this.#journal?.abandoned() ?? []) {
      undone += await this.#undo(changes, () => undefined);
      done();
    }
    // A helper counts what it undid as changes of its own, and would undo them. One that is too old to be told does.
    if (undone > 0 && this.changes.list().length === 0) {
      await this.#channel.keep?.().catch(() => undefined);
    }
    return undone;
  }

  close(): void {
    this.#channel.close();
  }

  async #undo(
    changes: readonly EndpointChange[],
    done: (change: EndpointChange) => void,
  ): Promise<number> {
    let undone = 0;
    let failure: unknown;
    // The last change first: an id may have been used again.
    for (const change of [...changes].reverse()) {
      try {
        const current = (await this.list()).find(({ address }) => address === change.address);
        const undo = undoOf(change, current);
        if (undo) {
          await this.#put(current, undo.target);
          undone += 1;
        }
        done(change);
      } catch (error) {
        failure ??= error;
      }
      this.#write();
    }
    if (failure !== undefined) throw failure as Error;
    return undone;
  }

  async #put(current: MptcpEndpoint | undefined, target: MptcpEndpoint | undefined): Promise<void> {
    if (target && current?.endpointId === target.endpointId) {
      await this.#channel.setFlags(target);
      return;
    }
    if (current) await this.#channel.remove(current);
    if (target) await this.#channel.add(target);
  }

  #write(): void {
    try {
      this.#journal?.write(this.changes.list());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new PathControlError('FAILED', `the journal cannot be written: ${why}`);
    }
  }
}
