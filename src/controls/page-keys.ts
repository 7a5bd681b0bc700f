import type { MediaController } from 'media-chrome';

/** Keys that would scroll the page. */
const SCROLLING = new Set([' ', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

/**
 * The player's keys work while nothing else has the focus: space and k, f, m, c, j, l, p, arrows, `<`, `>`, `?`.
 * Inside the controls the library handles them itself. @returns the function that stops
 */
export function forwardPageKeys(controller: MediaController): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== document.body || event.ctrlKey || event.altKey || event.metaKey) return;
    if (SCROLLING.has(event.key)) event.preventDefault();
    controller.keyboardShortcutHandler(event);
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
