import { formatBytes, type CarriageReport, type CarriedNetwork } from '../../core';
import { element, setText } from './dom';

const CARRIAGE_WORDS = {
  mptcp: 'MPTCP',
  ranges: 'Byte ranges over every network',
  single: 'One network',
} as const;

/** One line about a network: what it brought, and why it is out where it is. */
export function networkLine(network: CarriedNetwork): string {
  const { networkId, receivedBytes, duplicateBytes, blockedBytes, outReason, health } = network;
  const brought = `${formatBytes(receivedBytes)}, ${formatBytes(duplicateBytes)} of them twice, ${formatBytes(blockedBytes)} head-of-line blocked`;
  return outReason === undefined
    ? `${networkId}: ${health}; ${brought}`
    : `${networkId} is out: ${outReason}`;
}

/** The carriage of media in one line. The chunk scheduler's reason is left out: it changes with every decision. */
export function carriageLine({ carriage, reason, isWhole }: CarriageReport): string {
  if (isWhole === true) return reason;
  return carriage === 'ranges' ? CARRIAGE_WORDS.ranges : `${CARRIAGE_WORDS[carriage]}. ${reason}`;
}

/** The carriage of media, and each network's part in it. Hidden where no agent carries media. */
export class CarriageBox {
  readonly #line = element('p', 'carriage-line');
  readonly #networks = element('ul', 'carriage-networks');
  readonly node = element(
    'div',
    'why',
    element('h2', '', 'How media comes here'),
    this.#line,
    this.#networks,
  );

  draw(report: CarriageReport | undefined): void {
    this.node.hidden = report === undefined;
    if (!report) return;
    setText(this.#line, carriageLine(report));
    const lines = report.carriage === 'mptcp' ? [] : report.networks.map(networkLine);
    while (this.#networks.childElementCount > lines.length)
      this.#networks.lastElementChild?.remove();
    lines.forEach((line, index) => {
      const item = this.#networks.children[index] ?? this.#networks.appendChild(element('li'));
      setText(item as HTMLElement, line);
    });
  }
}
