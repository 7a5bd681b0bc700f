import type { MediaPlayerClass } from 'dashjs';
import type { DashRequest, ExtensionThis } from './dash-types';

interface FragmentModel {
  executeRequest: (request: DashRequest) => void;
  abortRequests: () => void;
}

/**
 * Finds the dash.js model that loads a request, so that the request can be abandoned. dash.js itself abandons
 * requests for media only, and only for another rung.
 */
export class FragmentOwners {
  readonly #owners = new WeakMap<DashRequest, () => void>();

  /** Call before `initialize()`. */
  plugInto(player: MediaPlayerClass): void {
    const owners = this.#owners;
    function OwnedFragmentModel(this: ExtensionThis<FragmentModel>): Partial<FragmentModel> {
      // dash.js writes the overrides into the parent object itself, so its own functions are read first.
      const { abortRequests, executeRequest } = this.parent;
      return {
        executeRequest: (request) => {
          owners.set(request, abortRequests);
          executeRequest(request);
        },
      };
    }
    player.extend('FragmentModel', OwnedFragmentModel, true);
  }

  /** Abandons the request, also one that waits for its retry; dash.js requests again at once. */
  abort(request: DashRequest): void {
    this.#owners.get(request)?.();
  }
}
