import type { NetworkWish } from '../../core';
import type { PathPolicyView, Player } from '../../ports';
import { element, setText } from './dom';

/** A larger budget counts as unlimited, a larger price as none. In MB, and in the viewer's currency. */
const MAX_INPUT = 1_000_000;

/** Called with the viewer's choices. */
interface PolicyBoxListener {
  onPolicy?: (name: string | undefined) => void;
  onNetwork?: (wish: NetworkWish) => void;
}

interface NetworkRow {
  node: HTMLElement;
  metered: HTMLInputElement;
  budget: HTMLInputElement;
  price: HTMLInputElement;
}

/** A field for a number that may be left out. */
function amount(label: string, placeholder: string, value: number | undefined): HTMLInputElement {
  const input = element('input', 'budget');
  input.type = 'number';
  input.min = '0';
  input.max = String(MAX_INPUT);
  input.step = 'any';
  input.placeholder = placeholder;
  input.setAttribute('aria-label', label);
  if (value !== undefined) input.value = String(value);
  return input;
}

/** The number of an enabled field; undefined if it is empty or out of range. */
function amountOf({ disabled, value }: HTMLInputElement): number | undefined {
  const number = Number(value);
  return !disabled && value !== '' && number >= 0 && number <= MAX_INPUT ? number : undefined;
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
    const megabytes = wish?.budgetBytes === undefined ? undefined : wish.budgetBytes / 1e6;
    const budget = amount(`Budget of ${network} in megabytes`, 'no limit', megabytes);
    const price = amount(`Price of ${network} per gigabyte`, 'no price', wish?.costPerGb);
    const enable = (): void => {
      budget.disabled = price.disabled = !metered.checked;
    };
    for (const field of [metered, budget, price]) {
      field.addEventListener('change', () => {
        enable();
        this.#say(network);
      });
    }
    enable();
    const note = (text: string): HTMLElement => element('span', 'path-note', text);
    const node = element(
      'div',
      'network',
      element('label', '', metered, element('span', '', `${network} costs`)),
      budget,
      note('MB in this run'),
      price,
      note('per GB'),
    );
    this.#rows.set(network, { node, metered, budget, price });
    this.#networks.append(node);
  }

  /** Passes the current row of a network to the player and the listener. */
  #say(network: string): void {
    const row = this.#rows.get(network);
    if (!row) return;
    const before = this.#wishes.find((one) => one.network === network);
    const megabytes = amountOf(row.budget);
    const wish: NetworkWish = {
      ...before,
      network,
      metered: row.metered.checked,
      budgetBytes: megabytes === undefined ? undefined : megabytes * 1e6,
      costPerGb: amountOf(row.price),
    };
    const others = this.#wishes.filter((one) => one.network !== network);
    this.#wishes = [...others, wish];
    this.#player.setNetworks?.(this.#wishes);
    this.#listener.onNetwork?.(wish);
  }
}
