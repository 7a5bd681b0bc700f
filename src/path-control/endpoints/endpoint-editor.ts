import { errorText } from '../../core';
import { PathControlError } from '../../ports';
import { endpointFlag, type MptcpEndpoint } from '../../kernel';
import { Changes, sameEndpoint, undoOf, type EndpointChange } from './changes';
import type { EndpointChannel } from './channel';
import type { UndoRecord } from './undo-record';

/** The kernel assigns ids from 1 upwards. This player takes ids from the other end. */
const HIGHEST_ID = 255;

export const freeId = (endpoints: readonly MptcpEndpoint[]): number => {
  const taken = new Set(endpoints.map(({ endpointId }) => endpointId));
  for (let id = HIGHEST_ID; id > 0; id -= 1) if (!taken.has(id)) return id;
  throw new PathControlError('FAILED', 'all 255 endpoint ids are taken');
};

/**
 * Makes changes one by one: it reads the state, writes the undo record, then changes. It remembers the original
 * state, so that everything can be restored.
 */
export class EndpointEditor {
  readonly changes = new Changes();
  readonly #channel: EndpointChannel;
  readonly #undoRecord: UndoRecord | undefined;

  constructor(channel: EndpointChannel, undoRecord: UndoRecord | undefined) {
    this.#channel = channel;
    this.#undoRecord = undoRecord;
  }

  list(): Promise<MptcpEndpoint[]> {
    return this.#channel.list();
  }

  /**
   * Brings the endpoint of an address from `current`, which the kernel just listed, to `target`.
   * @throws PathControlError; the endpoint is then unchanged
   */
  async apply(
    address: string,
    current: MptcpEndpoint | undefined,
    target: MptcpEndpoint | undefined,
  ): Promise<void> {
    if (sameEndpoint(current, target)) return;
    this.changes.note(address, current, target);
    try {
      this.#write();
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

  /** Ends the subflows from an address without an endpoint. */
  async closeFirstSubflows(address: string): Promise<void> {
    await this.#channel.remove({ endpointId: 0, address, port: 0, flags: 0, interfaceIndex: 0 });
  }

  /** Restores this player's own changes. */
  async restore(): Promise<number> {
    return this.#undo(this.changes.list(), (change) => this.changes.forget(change.address));
  }

  /**
   * Restores the changes of a crashed player. The helper refuses changes that it did not make itself
   * (FOREIGN). Its own second process has restored those, so their undo record is removed.
   */
  async recover(): Promise<number> {
    let undone = 0;
    let failure: unknown;
    for (const { changes, done } of this.#undoRecord?.abandoned() ?? []) {
      try {
        undone += await this.#undo(changes, () => undefined);
        done();
      } catch (error) {
        failure ??= error;
        if (error instanceof PathControlError && error.code === 'FOREIGN') done();
      }
    }
    if (failure !== undefined) throw failure as Error;
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
    // The last change is undone first: an id may have been reused.
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
      this.#undoRecord?.write(this.changes.list());
    } catch (error) {
      const why = errorText(error);
      throw new PathControlError('FAILED', `the undo record cannot be written: ${why}`);
    }
  }
}
