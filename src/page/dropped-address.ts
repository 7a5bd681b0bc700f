import { droppedAddress } from '../controls';
import { hashWith } from './page-hash';

/**
 * Plays an address that is dropped onto the page. A file is refused with the reason: a page cannot read the segments
 * beside it.
 */
export function openDroppedAddresses(say: (text: string) => void): void {
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const { dataTransfer } = event;
    if (!dataTransfer) return;
    const file = dataTransfer.files[0];
    if (file) {
      say(`A web page cannot read the segments beside ${file.name}: open it in the desktop app.`);
      return;
    }
    const address = droppedAddress(dataTransfer);
    if (address === undefined) say('Drop the address of a DASH manifest (http or https).');
    else location.hash = hashWith(location.hash, address);
  });
}
