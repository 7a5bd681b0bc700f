import { PathControlError } from '../../ports';
import type { MptcpEndpoint } from '../../kernel';
import type { EndpointAction } from './endpoint-action';
import { freeId, type EndpointEditor } from './endpoint-editor';
import type { AbsentEndpoint, FoundEndpoints } from './endpoint-state';
import { isBackup, withBackup } from './own-endpoint';

/** Runs planned steps on the kernel and keeps the record that the next plan starts from. */
export class EndpointExecutor {
  readonly #editor: EndpointEditor;
  readonly #absent = new Map<string, AbsentEndpoint>();
  readonly #rejoins = new Map<string, number>();
  readonly #flagRetries = new Map<string, number>();

  constructor(editor: EndpointEditor) {
    this.#editor = editor;
  }

  async find(table: FoundEndpoints['table']): Promise<FoundEndpoints> {
    return {
      endpoints: await this.#editor.list(),
      table,
      changes: this.#editor.changes,
      absent: this.#absent,
      rejoins: this.#rejoins,
      flagRetries: this.#flagRetries,
    };
  }

  /**
   * Runs the steps in order; resolves with true where the kernel changed.
   * @throws PathControlError; the steps before the failed one stay done
   */
  async run(actions: readonly EndpointAction[]): Promise<boolean> {
    let changed = false;
    for (const action of actions) changed = (await this.#run(action)) || changed;
    return changed;
  }

  /** The endpoints that were removed are not restored any more. */
  forgetAbsent(): void {
    this.#absent.clear();
  }

  async #run(action: EndpointAction): Promise<boolean> {
    switch (action.kind) {
      case 'take-out':
        return this.#takeOut(action);
      case 'end-first-subflows':
        await this.#editor.closeFirstSubflows(action.later.endpoint.address);
        this.#note(action.later);
        return true;
      case 'put-back':
        return this.#putBack(action);
      case 'create':
        return this.#create(action);
      case 'set-backup':
        this.#flagRetries.delete(action.endpoint.address);
        await this.#toggle(action.endpoint, action.backup);
        return true;
      case 'repeat-backup': {
        const { endpoint, attempt } = action;
        this.#flagRetries.set(endpoint.address, attempt);
        const opposite = await this.#toggle(endpoint, !isBackup(endpoint));
        await this.#editor.apply(endpoint.address, opposite, endpoint);
        return true;
      }
      case 'rejoin': {
        const { endpoint, attempt, later } = action;
        this.#rejoins.set(endpoint.address, attempt);
        await this.#editor.apply(endpoint.address, endpoint, undefined);
        // If the kernel refuses it now, it is put back at the next event.
        this.#note(later);
        await this.#editor.apply(endpoint.address, undefined, endpoint);
        this.#absent.delete(endpoint.address);
        return true;
      }
      case 'note-absent':
        this.#note(action.item);
        return false;
      case 'forget-absent':
        this.#absent.delete(action.address);
        return false;
      case 'forget-flag-retries':
        this.#flagRetries.delete(action.address);
        return false;
      case 'forget-rejoins':
        this.#rejoins.delete(action.address);
        return false;
    }
  }

  #note(item: AbsentEndpoint): void {
    this.#absent.set(item.endpoint.address, item);
  }

  async #toggle(endpoint: MptcpEndpoint, backup: boolean): Promise<MptcpEndpoint> {
    const target = withBackup(endpoint, backup);
    await this.#editor.apply(endpoint.address, endpoint, target);
    return target;
  }

  async #takeOut(action: Extract<EndpointAction, { kind: 'take-out' }>): Promise<boolean> {
    const { endpoint, later } = action;
    try {
      await this.#editor.apply(endpoint.address, endpoint, undefined);
    } catch (error) {
      // After a loss the helper leaves endpoints that it did not make.
      const isForeign = error instanceof PathControlError && error.code === 'FOREIGN';
      if (later.state === 'lost' && isForeign) return false;
      throw error;
    }
    this.#note(later);
    return true;
  }

  async #putBack(action: Extract<EndpointAction, { kind: 'put-back' }>): Promise<boolean> {
    const { endpoint, rejoin } = action;
    const { address } = endpoint;
    // The list is read now: another program may have made an endpoint since the plan.
    const all = await this.#editor.list();
    if (all.some((item) => item.address === address)) {
      this.#absent.delete(address);
      return false;
    }
    const isTaken = all.some(({ endpointId }) => endpointId === endpoint.endpointId);
    const endpointId = isTaken || endpoint.endpointId === 0 ? freeId(all) : endpoint.endpointId;
    await this.#editor.apply(address, undefined, { ...endpoint, endpointId });
    // Refused while no connection is open, it is tried again at the next event.
    this.#absent.delete(address);
    if (rejoin) this.#rejoins.set(address, 0);
    return true;
  }

  async #create(action: Extract<EndpointAction, { kind: 'create' }>): Promise<boolean> {
    const { thenBackup, rejoin } = action;
    const endpointId = freeId(await this.#editor.list());
    const endpoint = { ...action.endpoint, endpointId };
    await this.#editor.apply(endpoint.address, undefined, endpoint);
    if (thenBackup) await this.#toggle(endpoint, true);
    if (rejoin) this.#rejoins.set(endpoint.address, 0);
    return true;
  }
}
