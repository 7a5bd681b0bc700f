import type { MediaPlayerClass } from 'dashjs';
import type { DashRequest, ExtensionThis } from './dash-types';

interface FragmentModel {
  executeRequest: (request: DashRequest) => void;
  abortRequests: () => void;
  getRequests: (filter: { state: string }) => DashRequest[];
}

/** An exchange with what dash.js's loaders attach to it. */
interface Exchange {
  customData?: { abort?: () => void; onloadend?: unknown; onprogress?: unknown };
}

/** dash.js's `FRAGMENT_MODEL_LOADING`. */
const LOADING = 'loading';

/**
 * Finds the dash.js model that loads a request, so that the request can be abandoned. dash.js itself abandons
 * requests for media only, and only for another rung.
 */
export class FragmentOwners {
  readonly #owners = new WeakMap<DashRequest, () => void>();
  readonly #exchanges = new WeakMap<DashRequest, Exchange>();

  /** Call before `initialize()`. */
  plugInto(player: MediaPlayerClass): void {
    const owners = this.#owners;
    const exchanges = this.#exchanges;
    function OwnedFragmentModel(this: ExtensionThis<FragmentModel>): Partial<FragmentModel> {
      // dash.js writes the overrides into the parent object itself, so its own functions are read first.
      const { abortRequests, executeRequest, getRequests } = this.parent;
      const abortAll = (): void => {
        const loading = getRequests({ state: LOADING });
        abortRequests();
        for (const request of loading) abort(exchanges.get(request));
      };
      return {
        abortRequests: abortAll,
        executeRequest: (request) => {
          owners.set(request, abortAll);
          executeRequest(request);
        },
      };
    }
    player.extend('FragmentModel', OwnedFragmentModel, true);
  }

  /** The request goes now; `exchange` is what dash.js's loader gets. */
  sent(request: DashRequest, exchange: object): void {
    this.#exchanges.set(request, exchange);
  }

  /** Abandons the request, also one that waits for its retry; dash.js requests again at once. */
  abort(request: DashRequest): void {
    this.#owners.get(request)?.();
  }
}

/**
 * Ends an exchange as dash.js's HTTPLoader does. With CMCD the loaders get a copy of the exchange that the HTTPLoader
 * keeps (CmcdController of 5.2.1), so it finds nothing to abort. A second abort does nothing.
 */
function abort(exchange: Exchange | undefined): void {
  const data = exchange?.customData;
  if (!data) return;
  data.onloadend = data.onprogress = undefined;
  data.abort?.();
}
