import { formatBitRate, formatBytes, formatShare } from '../core';
import { createSummary, type SessionSummary } from '../qoe';
import type { MultipathPlayer } from '../sdk';
import { broughtBy, type Brought } from './brought';

/** Shows what each network brought once a stream has ended. */
export class EndCard {
  readonly node = document.createElement('section');

  constructor() {
    this.node.className = 'end-card';
    this.node.slot = 'centered-chrome';
    this.node.hidden = true;
    this.node.setAttribute('noautohide', '');
    this.node.setAttribute('aria-label', 'What the networks delivered');
  }

  /** Follows one session. @returns the function that lets it go */
  follow(player: MultipathPlayer, video: HTMLVideoElement): () => void {
    const summary = createSummary();
    const unsubscribe = player.subscribe((event) => summary.add(event));
    const show = (): void => {
      const session = summary.finish();
      const wishes = player.snapshot().paths?.networks ?? [];
      this.#draw(session, broughtBy(session.paths, wishes));
    };
    const hide = (): void => void (this.node.hidden = true);
    video.addEventListener('ended', show);
    video.addEventListener('playing', hide);
    video.addEventListener('seeking', hide);
    return () => {
      unsubscribe();
      video.removeEventListener('ended', show);
      video.removeEventListener('playing', hide);
      video.removeEventListener('seeking', hide);
      hide();
    };
  }

  #draw({ averageBitrateBps, stalls }: SessionSummary, networks: readonly Brought[]): void {
    const picture = averageBitrateBps === 0 ? '' : `, ${formatBitRate(averageBitrateBps)} of video`;
    const count = stalls.count === 1 ? '1 stall' : `${stalls.count} stalls`;
    const facts = text('p', `The stream has ended: ${count}${picture}.`);
    const list = document.createElement('ul');
    list.append(...networks.map(networkRow));
    this.node.replaceChildren(text('h2', headline(networks)), list, facts);
    this.node.hidden = false;
  }
}

function headline(networks: readonly Brought[]): string {
  if (networks.length === 0) return 'The end';
  if (networks.length === 1) return `${networks[0]?.network ?? ''} delivered everything`;
  return `${networks.length} networks delivered this stream`;
}

function networkRow({ network, bytes, share, cost }: Brought): HTMLElement {
  const percent = formatShare(share);
  const money = cost === undefined ? '' : `, cost ${cost.toFixed(2)}`;
  const bar = document.createElement('span');
  bar.className = 'bar';
  // Through the CSSOM, which the policy of the page permits.
  bar.style.width = percent;
  const row = document.createElement('li');
  row.append(text('b', network), text('span', `${formatBytes(bytes)}, ${percent}${money}`), bar);
  return row;
}

function text(tag: string, content: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = content;
  return element;
}
