import type { Elements } from './elements';

export interface Messages {
  /** Playback continues. */
  notice(text: string): void;
  /** Playback cannot continue; stays until the next stream. */
  failure(text: string): void;
  clear(): void;
}

/** Notices of one start; of more, the newest stay. */
const MAX_NOTICES = 3;

/** The bar below the toolbar. Notices stack; a failure replaces them and stays alone. */
export function createMessages(elements: Elements): Messages {
  const { message, messageText, messageClose } = elements;

  const show = (text: string, fatal: boolean): void => {
    message.classList.toggle('fatal', fatal);
    // Assertive only for a failure: a notice should not interrupt a screen reader.
    messageText.setAttribute('role', fatal ? 'alert' : 'status');
    const line = document.createElement('p');
    line.textContent = text;
    const earlier = fatal
      ? []
      : [...messageText.children].filter((one) => one.textContent !== text);
    messageText.replaceChildren(...earlier.slice(1 - MAX_NOTICES), line);
    message.hidden = false;
  };
  const clear = (): void => {
    message.hidden = true;
    message.classList.remove('fatal');
    messageText.replaceChildren();
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
