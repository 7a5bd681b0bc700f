/**
 * Everything that keeps the window in its sandbox, in one place. The window shows media and text from
 * servers nobody vouches for; whatever it can be talked into must stay without effect.
 */
import type {
  App,
  IpcMainEvent,
  IpcMainInvokeEvent,
  Session,
  WebContents,
  WebPreferences,
} from 'electron';
import { APP_HOST, MEDIA_HOST, SCHEME } from './scheme';

/** What the window may load. Media may come from anywhere, code and styles only from the bundle. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${SCHEME}://${APP_HOST}`,
  `style-src ${SCHEME}://${APP_HOST}`,
  `img-src ${SCHEME}://${APP_HOST} data:`,
  'media-src blob:',
  `connect-src http: https: ${SCHEME}://${MEDIA_HOST}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** The defaults of a current Electron, written out: an older or odd one must not differ. */
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
    // A covered window goes on playing and measuring.
    backgroundThrottling: false,
  };
}

/** Whether a URL is a page of this app. */
function isAppUrl(text: string): boolean {
  try {
    const url = new URL(text);
    return url.protocol === `${SCHEME}:` && url.host === APP_HOST;
  } catch {
    return false;
  }
}

/** Whether a message comes from the top frame of our window, showing our page; a frame may be gone already. */
export function isTrustedSender(
  event: Pick<IpcMainEvent | IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  window: WebContents,
): boolean {
  const frame = event.senderFrame;
  return event.sender === window && frame !== null && frame.parent === null && isAppUrl(frame.url);
}

/** Full screen is all the player needs of a browser's permissions. */
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

/** Refuses new windows, navigation away from the app and embedded browsers, for whatever contents arise. */
export function hardenContents(app: App): void {
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
