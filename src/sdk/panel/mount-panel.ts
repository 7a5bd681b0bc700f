import type { NetworkWish } from '../../core';
import type { Player, PlayerSnapshot } from '../../ports';
import type { LogEvent } from '../../session-log';
import { CarriageBox } from './carriage-box';
import { element, setText } from './dom';
import { clockTime, megabits, seconds } from './format';
import { PathRates } from './path-rates';
import { PathTable } from './path-table';
import { PolicyBox } from './policy-box';
import { PANEL_CSS } from './style';

/** The viewer's choices in the panel, for embedders that store them. The player has already applied them. */
export interface PanelOptions {
  /** A policy by name; undefined returns the choice to the player. */
  onPolicy?: (name: string | undefined) => void;
  onNetwork?: (wish: NetworkWish) => void;
}

export interface Panel {
  /** Takes the panel out of the document and stops listening to the player. */
  unmount(): void;
}

/** The player that the panel shows and controls; every player of this package is one. */
export type PanelPlayer = Pick<Player, 'snapshot' | 'subscribe' | 'setPolicy' | 'setNetworks'>;

/** Interval of drawing, and errors that are shown at a time. Chosen; no measurement. */
const REFRESH_MS = 250;
const MAX_ERRORS = 4;

/**
 * Shows the player's state inside `host`: the transport's state or warning, one row and sparkline per path,
 * rung, buffer, stalls and the reason of the last decision. Lives in a shadow root of `host`.
 * @throws TypeError where `host` is no element, such as a `querySelector` that found nothing
 */
export function mountPanel(
  host: HTMLElement,
  player: PanelPlayer,
  options: PanelOptions = {},
): Panel {
  // The types exclude it, but not every page has them.
  if (!(host as HTMLElement | null)?.attachShadow) throw new TypeError('host: expected an element');
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(PANEL_CSS);
  root.adoptedStyleSheets = [sheet];

  const view = new PanelView(new PolicyBox(player, options));
  root.replaceChildren(view.node);
  const rates = new PathRates();
  let ladderNote = '';

  const onEvent = (event: LogEvent): void => {
    if (event.type === 'samples') {
      if (rates.observe(event.batch)) view.paths.draw(rates.rows());
    } else if (
      event.type === 'end' ||
      (event.type === 'status' && event.status.state === 'no-feed')
    ) {
      rates.close();
      view.paths.draw(rates.rows());
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
  readonly #carriage = new CarriageBox();
  readonly node: HTMLElement;
  readonly #statusText = element('span');
  readonly #status = element('p', 'status', element('span', 'dot'), this.#statusText);
  readonly #errors = element('ul', 'errors');
  readonly #rung = new Figure('Picture');
  readonly #buffer = new Figure('Buffer');
  readonly #stalls = new Figure('Stalls');
  readonly #position = new Figure('Position');
  readonly #latency = new Figure('Latency');
  readonly #reason = element('p', 'reason', 'No decision yet.');

  constructor(readonly policy: PolicyBox) {
    this.#status.setAttribute('role', 'status');
    const alert = element('div', '', this.#errors);
    alert.setAttribute('role', 'alert');
    this.node = element(
      'section',
      'panel',
      this.#status,
      alert,
      this.paths.node,
      policy.node,
      this.#carriage.node,
      element(
        'dl',
        'figures',
        this.#rung.node,
        this.#buffer.node,
        this.#stalls.node,
        this.#position.node,
        this.#latency.node,
      ),
      element('div', 'why', element('h2', '', 'Which bit rate, and why'), this.#reason),
    );
    this.#latency.node.hidden = true;
    this.node.setAttribute('aria-label', 'Stream and network');
  }

  draw(snapshot: PlayerSnapshot, ladderNote: string): void {
    const { status } = snapshot;
    this.#status.dataset['state'] = status.state;
    this.#status.dataset['warn'] = String(!['multipath', 'idle'].includes(status.state));
    setText(this.#statusText, status.reason);
    this.#carriage.draw(snapshot.carriage);
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
    const { liveLatencyMs } = snapshot;
    this.#latency.node.hidden = liveLatencyMs === undefined;
    if (liveLatencyMs !== undefined) this.#latency.set(seconds(liveLatencyMs), 'behind live');
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
