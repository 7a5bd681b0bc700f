import type { Elements } from './elements';

export interface Messages {
  /** Playback goes on. */
  notice(text: string): void;
  /** Playback cannot go on; stays until the next stream. */
  failure(text: string): void;
  clear(): void;
}

/** The bar under the toolbar. A notice never covers a failure. */
export function createMessages(elements: Elements): Messages {
  const { message, messageText, messageClose } = elements;

  const show = (text: string, fatal: boolean): void => {
    message.classList.toggle('fatal', fatal);
    // Assertive only for what ends playback: a reader should not be interrupted by a notice.
    messageText.setAttribute('role', fatal ? 'alert' : 'status');
    messageText.textContent = text;
    message.hidden = false;
  };
  const clear = (): void => {
    message.hidden = true;
    message.classList.remove('fatal');
    messageText.textContent = '';
  };

  messageClose.addEventListener('click', clear);
  return {
    notice(text) {
      if (!message.classList.contains('fatal')) show(text, false);
    },
    failure: (text) => show(text, true),
    clear,
  };
}
