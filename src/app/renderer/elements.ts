/** The element of that id and kind; the page is ours, so its absence is a mistake in the page. */
function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} “${id}”`);
  return found;
}

/** Every element the window works with. */
export function findElements() {
  return {
    form: element('open-form', HTMLFormElement),
    url: element('url', HTMLInputElement),
    openFile: element('open-file', HTMLButtonElement),
    abr: element('abr', HTMLSelectElement),
    message: element('message', HTMLDivElement),
    messageText: element('message-text', HTMLSpanElement),
    messageClose: element('message-close', HTMLButtonElement),
    video: element('video', HTMLVideoElement),
    empty: element('empty', HTMLDivElement),
    launch: element('launch', HTMLParagraphElement),
    panel: element('panel', HTMLElement),
    log: element('log', HTMLSpanElement),
    versions: element('versions', HTMLSpanElement),
  };
}

export type Elements = ReturnType<typeof findElements>;
