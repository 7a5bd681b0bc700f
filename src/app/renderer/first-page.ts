import { formatBitRate } from '../../core';
import type { FoundNetwork, LaunchInfo } from '../../ipc';
import { createNetworkMemory } from '../../sdk';
import type { Elements } from './elements';
import { readiness } from './readiness';

/** The page before a stream: which networks there are, what each would add, and the streams of before. */
export function showFirstPage(elements: Elements, { mptcp, networks }: LaunchInfo): void {
  const several = networks.length > 1;
  const ready = mptcp.state === 'preloaded';
  elements.launch.textContent = readiness(networks.length, mptcp);
  elements.launch.classList.toggle('trouble', networks.length === 0 || (several && !ready));
  elements.networks.replaceChildren(...networks.map(networkRow));
}

/** A network with its remembered rate of the last hour. */
function networkRow({ network, address }: FoundNetwork): HTMLElement {
  const known = createNetworkMemory()
    .recall()
    .filter((one) => one.pathId === network);
  const rateBps = Math.max(0, ...known.map((one) => one.rateBps));
  const adds =
    rateBps > 0
      ? `carried ${formatBitRate(rateBps)} when it was used last`
      : 'not measured yet: the first stream measures it';
  const row = document.createElement('li');
  const note = document.createElement('small');
  note.textContent = ` ${address} · ${adds}`;
  row.append(network, note);
  return row;
}

/** Streams that can be opened again. @param open called with the address of one */
export function showRecent(
  elements: Elements,
  labels: readonly string[],
  open: (label: string) => void,
): void {
  // A path of the disk is opened through the dialog only: the window may not name files.
  const addresses = labels.filter((label) => /^https?:/.test(label)).slice(0, 5);
  elements.recent.hidden = addresses.length === 0;
  elements.recentList.replaceChildren(
    ...addresses.map((label) => {
      const row = document.createElement('li');
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      button.addEventListener('click', () => open(label));
      row.append(button);
      return row;
    }),
  );
}
