/**
 * The sandbox of the window, in one place. The window shows media and text of untrusted servers. A
 * compromised window must have no effect outside its sandbox.
 */
import type {
  App,
  IpcMainEvent,
  IpcMainInvokeEvent,
  Session,
  WebContents,
  WebPreferences,
} from 'electron';
import { EMPTY_STYLE_HASH } from '../../ipc';
import { APP_HOST, MEDIA_HOST, SCHEME } from './scheme';

/** Permitted sources of the window. Media may come from anywhere, code and styles only from the bundle. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${SCHEME}://${APP_HOST}`,
  `style-src ${SCHEME}://${APP_HOST} ${EMPTY_STYLE_HASH}`,
  `img-src ${SCHEME}://${APP_HOST} data:`,
  'media-src blob:',
  `connect-src http: https: ${SCHEME}://${MEDIA_HOST}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types media-chrome',
].join('; ');

/** The defaults of a current Electron, set explicitly: other versions must not differ. */
export function windowPreferences(preload: string): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false,
    // A covered window continues to play and measure.
    backgroundThrottling: false,
  };
}

/** True if a URL is a page of this app. */
function isAppUrl(text: string): boolean {
  try {
    const url = new URL(text);
    return url.protocol === `${SCHEME}:` && url.host === APP_HOST;
  } catch {
    return false;
  }
}

/**
 * True if a message comes from the top frame of the player's window while it shows the app's page; a frame
 * may be gone already.
 */
export function isTrustedSender(
  event: Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  window: WebContents,
): boolean {
  const frame = event.senderFrame;
  return event.sender === window && frame !== null && frame.parent === null && isAppUrl(frame.url);
}

/** Full screen is the only browser permission that the player needs. */
const granted = new Set(['fullscreen']);

/** Refuses permissions, devices and downloads. */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(granted.has(permission) && isAppUrl(details.requestingUrl));
  });
  session.setPermissionCheckHandler(
    (contents, permission) =>
      granted.has(permission) && contents !== null && isAppUrl(contents.getURL()),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

/**
 * Refuses new windows, navigation away from the app and embedded browsers, for all web contents. Shows no server a
 * certificate of the user's: by default Electron sends the first one in the store, which names its owner.
 */
export function hardenContents(app: App): void {
  app.on('select-client-certificate', (event, _contents, _url, _list, callback) => {
    event.preventDefault();
    callback();
  });
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      event.preventDefault();
    });
  });
}
