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

/** The bar below the toolbar. Notices stack; a failure replaces them and stays above later ones. */
export function createMessages(elements: Elements): Messages {
  const { message, messageText, messageClose } = elements;

  const show = (text: string, fatal: boolean): void => {
    const shown = fatal ? [] : [...messageText.children];
    const [failure] = message.classList.contains('fatal') ? shown.splice(0, 1) : [];
    if (failure?.textContent === text) return;
    if (fatal) message.classList.add('fatal');
    const line = document.createElement('p');
    // Assertive only for a failure: a notice should not interrupt a screen reader.
    line.setAttribute('role', fatal ? 'alert' : 'status');
    line.textContent = text;
    const notices = shown.filter((one) => one.textContent !== text).slice(1 - MAX_NOTICES);
    messageText.replaceChildren(...(failure ? [failure] : []), ...notices, line);
    message.hidden = false;
  };
  const clear = (): void => {
    message.hidden = true;
    message.classList.remove('fatal');
    messageText.replaceChildren();
  };

  messageClose.addEventListener('click', clear);
  return {
    notice: (text) => show(text, false),
    failure: (text) => show(text, true),
    clear,
  };
}
