/**
 * The only interface between the window and the main process: one frozen object of functions with plain data.
 * Runs sandboxed; `ipcRenderer` and its events never reach the page.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import {
  APP_BRIDGE,
  appChannels,
  parseAppEvent,
  parseAppRequest,
  parseAppResponse,
  parseFeedDown,
  parseFeedUp,
  type AppBridge,
  type AppEvent,
  type AppEventPayload,
  type AppInvocation,
  type AppRequest,
  type AppResponse,
  type Parsed,
} from '../../ipc';

function valid<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new Error(`refused: ${parsed.error}`);
}

async function invoke<N extends AppInvocation>(
  name: N,
  request: AppRequest<N>,
): Promise<AppResponse<N>> {
  const checked = valid(parseAppRequest(name, request));
  const answer: unknown = await ipcRenderer.invoke(appChannels.invoke(name), checked);
  return valid(parseAppResponse(name, answer));
}

function onEvent<N extends AppEvent>(
  name: N,
  listener: (payload: AppEventPayload<N>) => void,
): () => void {
  const channel = appChannels.event(name);
  const receive = (_event: unknown, input: unknown): void => {
    listener(valid(parseAppEvent(name, input)));
  };
  ipcRenderer.on(channel, receive);
  return () => void ipcRenderer.removeListener(channel, receive);
}

let stopFeed: () => void = () => {};

const bridge: AppBridge = {
  feed: {
    send: (message) => ipcRenderer.send(appChannels.feedUp, valid(parseFeedUp(message))),
    onMessage(listener) {
      stopFeed();
      const receive = (_event: unknown, input: unknown): void => {
        // Acknowledged even if refused or mishandled: the message has left the main process.
        ipcRenderer.send(appChannels.feedAck);
        listener(valid(parseFeedDown(input)));
      };
      ipcRenderer.on(appChannels.feedDown, receive);
      ipcRenderer.send(appChannels.feedOpen);
      stopFeed = () => void ipcRenderer.removeListener(appChannels.feedDown, receive);
      return stopFeed;
    },
    close() {
      stopFeed();
      ipcRenderer.send(appChannels.feedClose);
    },
  },
  openFileDialog: () => invoke('openFileDialog', {}),
  checkStream: (url) => invoke('checkStream', { url }),
  beginStream: (url, steers) => invoke('beginStream', { url, steers }),
  getLaunchInfo: () => invoke('getLaunchInfo', {}),
  saveNetwork: async (wish) => {
    await invoke('saveNetwork', { wish });
  },
  sessionClosed: async () => {
    await invoke('sessionClosed', {});
  },
  onOpenRequested: (listener) => onEvent('openRequested', listener),
  onClosing: (listener) => onEvent('closing', ({ reason }) => listener(reason)),
  onNotice: (listener) => onEvent('notice', ({ text }) => listener(text)),
};

/** Path of a dropped file; Electron before 32 has no `webUtils`, and the path in the file. */
function pathOf(file: File): string {
  const modern = webUtils as Pick<typeof webUtils, 'getPathForFile'> | undefined;
  if (modern !== undefined) return modern.getPathForFile(file);
  return (file as File & { path?: string }).path ?? '';
}

// The page never learns the path, and cannot make this event: only the viewer's own drop is trusted.
document.addEventListener('drop', (event) => {
  const dropped = event.isTrusted ? event.dataTransfer?.files[0] : undefined;
  const file = dropped ? pathOf(dropped) : '';
  if (file !== '') void invoke('openDropped', { file });
});

// Electron copies it into the page's context and freezes it there.
contextBridge.exposeInMainWorld(APP_BRIDGE, bridge);
