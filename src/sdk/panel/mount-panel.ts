import type { Player, PlayerSnapshot } from '../../ports';
import type { LogEvent } from '../../qoe';
import { element, setText } from './dom';
import { clockTime, megabits, seconds } from './format';
import { PathRates } from './path-rates';
import { PathTable } from './path-table';
import { panelCss } from './style';

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
export function mountPanel(host: HTMLElement, player: Player): Panel {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelCss);
  root.adoptedStyleSheets = [sheet];

  const view = new PanelView();
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
      ladderNote = video ? ` / ${video.rungs.length}` : '';
    }
  };
  const refresh = (): void => view.draw(player.snapshot(), ladderNote);
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
  readonly #rung = element('dd');
  readonly #buffer = element('dd');
  readonly #stalls = element('dd');
  readonly #position = element('dd');
  readonly #reason = element('p', 'reason', 'No decision yet.');

  constructor() {
    this.#status.setAttribute('role', 'status');
    this.#errors.setAttribute('role', 'alert');
    this.node = element(
      'section',
      'panel',
      this.#status,
      this.#errors,
      this.paths.node,
      element(
        'dl',
        'figures',
        figure('Rung', this.#rung),
        figure('Buffer', this.#buffer),
        figure('Stalls', this.#stalls),
        figure('Position', this.#position),
      ),
      element('div', '', element('h2', '', 'Last decision'), this.#reason),
    );
    this.node.setAttribute('aria-label', 'Stream and network');
  }

  draw(snapshot: PlayerSnapshot, ladderNote: string): void {
    const { status } = snapshot;
    this.#status.dataset['state'] = status.state;
    this.#status.dataset['warn'] = String(!['multipath', 'idle'].includes(status.state));
    setText(this.#statusText, status.reason);
    setText(
      this.#rung,
      snapshot.rung < 0
        ? '–'
        : `${snapshot.rung + 1}${ladderNote} · ${megabits(snapshot.bitrateBps)} M`,
    );
    setText(this.#buffer, seconds(snapshot.bufferMs));
    setText(
      this.#stalls,
      snapshot.stalls.count === 0
        ? '0'
        : `${snapshot.stalls.count} · ${seconds(snapshot.stalls.totalMs)}`,
    );
    setText(this.#position, clockTime(snapshot.positionMs));
    if (snapshot.lastDecision) setText(this.#reason, snapshot.lastDecision.reason);
  }

  addError(message: string, fatal: boolean): void {
    const item = element('li', '', message);
    item.dataset['fatal'] = String(fatal);
    this.#errors.append(item);
    while (this.#errors.childElementCount > MAX_ERRORS) this.#errors.firstElementChild?.remove();
  }
}

function figure(name: string, value: HTMLElement): HTMLElement {
  return element('div', 'figure', element('dt', '', name), value);
}
