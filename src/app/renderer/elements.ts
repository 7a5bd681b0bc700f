/** The element of that id and kind; a missing one is a defect of the bundled page. */
function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} “${id}”`);
  return found;
}

/** All elements used by the window. */
export function findElements() {
  return {
    form: element('open-form', HTMLFormElement),
    url: element('url', HTMLInputElement),
    openFile: element('open-file', HTMLButtonElement),
    abr: element('abr', HTMLSelectElement),
    message: element('message', HTMLDivElement),
    messageText: element('message-text', HTMLDivElement),
    messageClose: element('message-close', HTMLButtonElement),
    title: element('title', HTMLHeadingElement),
    video: element('video', HTMLVideoElement),
    subtitles: element('subtitles', HTMLDivElement),
    empty: element('empty', HTMLDivElement),
    launch: element('launch', HTMLParagraphElement),
    networks: element('networks', HTMLUListElement),
    recent: element('recent', HTMLElement),
    recentList: element('recent-list', HTMLUListElement),
    panel: element('panel', HTMLElement),
    log: element('log', HTMLSpanElement),
    versions: element('versions', HTMLSpanElement),
  };
}

export type Elements = ReturnType<typeof findElements>;
