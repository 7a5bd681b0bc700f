import type { NetworkWish } from '../../core';
import type { PathPolicyView, Player } from '../../ports';
import { element, setText } from './dom';

/** A larger budget counts as unlimited. In MB. */
const MAX_BUDGET_MB = 1_000_000;

/** Called with the viewer's choices. */
interface PolicyBoxListener {
  onPolicy?: (name: string | undefined) => void;
  onNetwork?: (wish: NetworkWish) => void;
}

interface NetworkRow {
  node: HTMLElement;
  metered: HTMLInputElement;
  budget: HTMLInputElement;
}

/** The reason of the path states, and the viewer's settings: the policy, and the costly networks. */
export class PolicyBox {
  readonly node: HTMLElement;
  readonly #player: Pick<Player, 'setPolicy' | 'setNetworks'>;
  readonly #reason = element('p', 'reason', 'No decision yet.');
  readonly #notice = element('p', 'path-note');
  readonly #select = element('select');
  readonly #networks = element('div', 'networks');
  readonly #listener: PolicyBoxListener;
  readonly #rows = new Map<string, NetworkRow>();
  /** Known facts of every network, including absent ones. */
  #wishes: readonly NetworkWish[] = [];

  constructor(player: Pick<Player, 'setPolicy' | 'setNetworks'>, listener: PolicyBoxListener = {}) {
    this.#player = player;
    this.#listener = listener;
    this.#reason.setAttribute('aria-live', 'polite');
    this.#select.addEventListener('change', () => {
      const name = this.#select.value === '' ? undefined : this.#select.value;
      player.setPolicy?.(name);
      listener.onPolicy?.(name);
    });
    this.node = element(
      'div',
      'policy',
      element('h2', '', 'Which paths, and why'),
      this.#reason,
      this.#notice,
      element('label', 'choice', element('span', '', 'Policy'), this.#select),
      this.#networks,
    );
  }

  draw(view: PathPolicyView | undefined, networks: readonly string[]): void {
    this.node.hidden = view === undefined;
    if (!view) return;
    if (view.reason !== '') setText(this.#reason, view.reason);
    const { control } = view;
    this.#wishes = view.networks;
    const blocked = control?.capability.available === false ? control.capability.reason : '';
    const refused = control?.refusals[0]?.reason ?? '';
    setText(this.#notice, blocked || refused);
    if (this.#select.options.length === 0) this.#fill(view);
    // Not while the viewer is choosing.
    if (!this.#select.matches(':focus')) this.#select.value = view.pinned ? view.policy : '';
    for (const network of networks) if (!this.#rows.has(network)) this.#add(network, view);
  }

  #fill(view: PathPolicyView): void {
    this.#select.add(new Option('Chosen by the player', ''));
    for (const { name, summary } of view.choices) {
      // Named by what it does; the internal name is for logs and the command line.
      const option = new Option(summary, name);
      option.title = name;
      this.#select.add(option);
    }
  }

  #add(network: string, view: PathPolicyView): void {
    const wish = view.networks.find((one) => one.network === network);
    const metered = element('input');
    metered.type = 'checkbox';
    metered.checked = wish?.metered === true;
    const budget = element('input', 'budget');
    budget.type = 'number';
    budget.min = '0';
    budget.max = String(MAX_BUDGET_MB);
    budget.placeholder = 'no limit';
    budget.disabled = !metered.checked;
    budget.setAttribute('aria-label', `Budget of ${network} in megabytes`);
    if (wish?.budgetBytes !== undefined) budget.value = String(wish.budgetBytes / 1e6);
    const change = (): void => {
      budget.disabled = !metered.checked;
      this.#say(network);
    };
    metered.addEventListener('change', change);
    budget.addEventListener('change', change);
    const label = element('label', '', metered, element('span', '', `${network} costs`));
    const node = element(
      'div',
      'network',
      label,
      budget,
      element('span', 'path-note', 'MB at most'),
    );
    this.#rows.set(network, { node, metered, budget });
    this.#networks.append(node);
  }

  /** Passes the current row of a network to the player and the listener. */
  #say(network: string): void {
    const row = this.#rows.get(network);
    if (!row) return;
    const before = this.#wishes.find((one) => one.network === network);
    const megabytes = Number(row.budget.value);
    const limited = row.budget.value !== '' && megabytes >= 0 && megabytes <= MAX_BUDGET_MB;
    const wish: NetworkWish = {
      ...before,
      network,
      metered: row.metered.checked,
      budgetBytes: row.metered.checked && limited ? megabytes * 1e6 : undefined,
    };
    const others = this.#wishes.filter((one) => one.network !== network);
    this.#wishes = [...others, wish];
    this.#player.setNetworks?.(this.#wishes);
    this.#listener.onNetwork?.(wish);
  }
}
