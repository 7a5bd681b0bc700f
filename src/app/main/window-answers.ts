import { net, type BrowserWindow } from 'electron';
import { errorText } from '../../core';
import type { RequestGuard } from '../../fetch';
import type { AppResponse, LaunchInfo } from '../../ipc';
import type { AppHandlers } from './ipc-handlers';
import { checkManifest } from './manifest-check';
import type { MediaFolders } from './media-folders';
import type { NetworkWishes } from './network-wishes';
import { chooseFile, openDropped } from './open-file';
import type { OpenedOrigins } from './opened-origins';
import { SCHEME } from './scheme';
import type { SessionReport } from './session-report';
import type { StreamSessions } from './stream-sessions';
import { checkStreamUrl } from './stream-url';

export interface WindowAnswersOptions {
  window: BrowserWindow;
  info: () => LaunchInfo;
  folders: MediaFolders;
  requests: RequestGuard;
  origins: OpenedOrigins;
  wishes: NetworkWishes;
  sessions: StreamSessions;
  report: SessionReport;
  /** Messages for the terminal. */
  say: (text: string) => void;
  /** Takes a file that the viewer dropped, as after the dialog. */
  onChosen: (chosen: AppResponse<'openFileDialog'>) => void;
  /** The window has ended its session. */
  onClosed: () => void;
}

/** The answers to the window's questions. */
export function windowAnswers(options: WindowAnswersOptions): AppHandlers {
  const { window, folders, requests, origins, wishes, sessions, report, say } = options;
  const streamUrl = (text: string): URL =>
    checkStreamUrl(text, (candidate) => folders.owns(candidate));
  return {
    openFileDialog: () => chooseFile(window, folders),
    getLaunchInfo: () => Promise.resolve(options.info()),
    async checkStream({ url }) {
      try {
        await checkManifest(streamUrl(url), net);
        return { ok: true };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
    async openDropped({ file }) {
      options.onChosen(await openDropped(window, folders, file));
      return {};
    },
    async beginStream({ url: text, steers }) {
      try {
        const url = streamUrl(text);
        const isLocal = url.protocol === `${SCHEME}:`;
        const origin = isLocal ? undefined : url.origin;
        const begun = await sessions.begin(steers, origin, async () => {
          await requests.opened(url);
          if (!isLocal) origins.allow(url);
        });
        say(begun.logFile === undefined ? (begun.logError ?? '') : `logging to ${begun.logFile}`);
        report.begin(begun.logFile);
        return { ok: true, url: url.href, ...begun };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
    saveNetwork({ wish }) {
      wishes.save(wish);
      sessions.setNetwork(wish);
      return Promise.resolve({});
    },
    sessionClosed() {
      options.onClosed();
      return Promise.resolve({});
    },
  };
}
