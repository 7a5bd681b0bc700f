import type { NetworkWish, Player, PlayerSnapshot } from '../../ports';
import type { LogEvent } from '../../qoe';
import { element, setText } from './dom';
import { clockTime, megabits, seconds } from './format';
import { PathRates } from './path-rates';
import { PathTable } from './path-table';
import { PolicyBox } from './policy-box';
import { panelCss } from './style';

/** What the viewer chooses in the panel; the player is told already. For those who remember it. */
export interface PanelOptions {
  /** A policy by name; undefined gives the choice back to the player. */
  onPolicy?: (name: string | undefined) => void;
  onNetwork?: (wish: NetworkWish) => void;
}

export interface Panel {
  /** Takes the panel out of the document and stops listening to the player. */
  unmount(): void;
}

const REFRESH_MS = 250;
const MAX_ERRORS = 4;

/**
 * Shows what the player does inside `host`: the transport's state or warning, one row and sparkline per
 * path, rung, buffer, stalls and why the last decision was made. Lives in a shadow root of `host`.
 */
export function mountPanel(host: HTMLElement, player: Player, options: PanelOptions = {}): Panel {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelCss);
  root.adoptedStyleSheets = [sheet];

  const view = new PanelView(new PolicyBox(player, options));
  root.replaceChildren(view.node);
  const rates = new PathRates();
  let ladderNote = '';

  const onEvent = (event: LogEvent): void => {
    if (event.type === 'samples') {
      if (rates.observe(event.batch)) view.paths.draw(rates.rows());
    } else if (event.type === 'error') {
      view.addError(event.message, event.fatal);
    } else if (event.type === 'manifest') {
      const video = event.ladders.find((ladder) => ladder.mediaType === 'video');
      ladderNote = video ? ` of ${video.rungs.length}` : '';
    }
  };
  const refresh = (): void => {
    const snapshot = player.snapshot();
    view.draw(snapshot, ladderNote);
    view.policy.draw(
      snapshot.paths,
      rates.rows().map(({ pathId }) => pathId),
    );
  };
  const unsubscribe = player.subscribe(onEvent);
  const timer = setInterval(refresh, REFRESH_MS);
  view.paths.draw([]);
  refresh();

  return {
    unmount() {
      clearInterval(timer);
      unsubscribe();
      root.replaceChildren();
    },
  };
}

class PanelView {
  readonly paths = new PathTable();
  readonly node: HTMLElement;
  readonly #statusText = element('span');
  readonly #status = element('p', 'status', element('span', 'dot'), this.#statusText);
  readonly #errors = element('ul', 'errors');
  readonly #rung = new Figure('Picture');
  readonly #buffer = new Figure('Buffer');
  readonly #stalls = new Figure('Stalls');
  readonly #position = new Figure('Position');
  readonly #reason = element('p', 'reason', 'No decision yet.');

  constructor(readonly policy: PolicyBox) {
    this.#status.setAttribute('role', 'status');
    this.#errors.setAttribute('role', 'alert');
    this.node = element(
      'section',
      'panel',
      this.#status,
      this.#errors,
      this.paths.node,
      policy.node,
      element(
        'dl',
        'figures',
        this.#rung.node,
        this.#buffer.node,
        this.#stalls.node,
        this.#position.node,
      ),
      element('div', 'why', element('h2', '', 'Which bit rate, and why'), this.#reason),
    );
    this.node.setAttribute('aria-label', 'Stream and network');
  }

  draw(snapshot: PlayerSnapshot, ladderNote: string): void {
    const { status } = snapshot;
    this.#status.dataset['state'] = status.state;
    this.#status.dataset['warn'] = String(!['multipath', 'idle'].includes(status.state));
    setText(this.#statusText, status.reason);
    const shown = snapshot.rung >= 0;
    this.#rung.set(
      shown ? `${megabits(snapshot.bitrateBps)} Mbit/s` : '–',
      shown ? `rung ${snapshot.rung + 1}${ladderNote}` : 'no picture yet',
    );
    this.#buffer.set(seconds(snapshot.bufferMs), 'ahead');
    this.#stalls.set(String(snapshot.stalls.count), `${seconds(snapshot.stalls.totalMs)} in all`);
    this.#position.set(
      clockTime(snapshot.positionMs),
      snapshot.playing ? 'playing' : 'not playing',
    );
    if (snapshot.lastDecision) setText(this.#reason, snapshot.lastDecision.reason);
  }

  addError(message: string, fatal: boolean): void {
    const item = element('li', '', message);
    item.dataset['fatal'] = String(fatal);
    this.#errors.append(item);
    while (this.#errors.childElementCount > MAX_ERRORS) this.#errors.firstElementChild?.remove();
  }
}

/** One number with its name above and a note below. */
class Figure {
  readonly node: HTMLElement;
  readonly #value = element('span');
  readonly #note = element('small');

  constructor(name: string) {
    this.node = element(
      'div',
      'figure',
      element('dt', '', name),
      element('dd', '', this.#value, this.#note),
    );
  }

  set(value: string, note: string): void {
    setText(this.#value, value);
    setText(this.#note, note);
  }
}
