import { formatBytes, type PathId } from '../../core';
import { element, setText } from './dom';
import { megabits, percent } from './format';
import { HISTORY_WINDOWS, type PathRow } from './path-rates';
import { Sparkline } from './sparkline';

interface Row {
  node: HTMLTableRowElement;
  note: HTMLElement;
  rate: HTMLElement;
  share: HTMLElement;
  spark: Sparkline;
}

const STATE_WORDS = {
  active: 'in use',
  backup: 'backup',
  connecting: 'joining',
  closed: 'gone',
} as const;

/** One row and one sparkline per path. */
export class PathTable {
  readonly node: HTMLElement;
  readonly #body = element('tbody');
  readonly #empty = element('p', 'empty', 'No path data.');
  readonly #rows = new Map<PathId, Row>();

  constructor() {
    const caption = element('caption', '', element('h2', '', 'Paths'));
    this.node = element('div', '', element('table', '', caption, this.#body), this.#empty);
  }

  draw(paths: readonly PathRow[]): void {
    this.#empty.hidden = paths.length > 0;
    const top = Math.max(1e5, ...paths.flatMap((path) => path.history));
    for (const path of paths) {
      const row = this.#rows.get(path.pathId) ?? this.#add(path.pathId);
      row.node.dataset['state'] = path.state;
      const rtt = path.rcvRttMs === undefined ? '' : ` · ${Math.round(path.rcvRttMs)} ms`;
      setText(row.note, `${STATE_WORDS[path.state]}${rtt}`);
      setText(row.rate, megabits(path.rateBps));
      setText(row.share, `${formatBytes(path.bytes)} · ${percent(path.share)}`);
      row.spark.draw(path.history, top);
    }
  }

  #add(pathId: PathId): Row {
    const row: Row = {
      node: element('tr'),
      note: element('span', 'path-note'),
      rate: element('span'),
      share: element('span', 'path-note'),
      spark: new Sparkline(HISTORY_WINDOWS),
    };
    const name = element('th', '', element('span', 'path-name', pathId), row.note);
    name.scope = 'row';
    name.title = pathId;
    row.node.append(
      name,
      element('td', 'spark-cell', row.spark.node),
      element('td', 'rate', element('b', '', row.rate, element('small', '', ' Mbit/s')), row.share),
    );
    this.#rows.set(pathId, row);
    // Rows are in the order of their names, so that colours stay with paths.
    const after = [...this.#rows.keys()].sort().indexOf(pathId);
    this.#body.insertBefore(row.node, this.#body.children[after] ?? null);
    return row;
  }
}
