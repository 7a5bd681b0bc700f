import path from 'node:path';
import { app, ipcMain, protocol, session, type BrowserWindow } from 'electron';
import {
  appChannels,
  limits,
  type AppEvent,
  type AppEventPayload,
  type AppResponse,
  type MptcpLaunch,
} from '../../ipc';
import { END_SIGNALS } from '../../core';
import { createRequestGuard } from '../../fetch';
import { monotonicClock } from '../../kernel';
import { exitStatusOf, warn } from '../../runner/host';
import { BudgetLedger } from '../../transport';
import { openAppCarriage } from './app-carriage';
import { createAppFiles } from './app-files';
import { openAppPaths } from './app-paths';
import type { AppArgs } from './args';
import { handleApp, handleFeed } from './ipc-handlers';
import { defaultLogDir } from './log-files';
import { electronWarning } from './electron-support';
import { foundNetworks } from './found-networks';
import { createMediaFolders } from './media-folders';
import { installMenu } from './menu';
import { watchLauncher } from './mptcp-launch';
import { chooseFile } from './open-file';
import { launchInfo, withNetworks, type StartInfo } from './launch-info';
import { guardRequests, proxiedBy, proxyOf, resolverOf } from './request-guard';
import { openNetworkWishes } from './network-wishes';
import { claimProfile } from './profile';
import { openOrigins } from './opened-origins';
import { APP_HOST, schemePrivileges, serveScheme } from './scheme';
import { hardenContents, hardenSession, isTrustedSender } from './security';
import { createSessionReport } from './session-report';
import { createShutdown, type Shutdown } from './shutdown';
import { StreamSessions } from './stream-sessions';
import { windowAnswers } from './window-answers';
import { createPlayerWindow } from './window';

/** Chromium's switches, set before it is ready. */
function prepareChromium(): void {
  // QUIC would bypass TCP, and with it MPTCP; a cached segment would appear as an infinitely fast path.
  app.commandLine.appendSwitch('disable-quic');
  app.commandLine.appendSwitch('disable-http-cache');
  protocol.registerSchemesAsPrivileged(schemePrivileges);
  hardenContents(app);
}

/** Runs the player until it is closed; the process ends with it. */
export async function runApp(args: AppArgs, mptcp: MptcpLaunch): Promise<void> {
  prepareChromium();
  const profile = claimProfile(app);
  process.once('exit', () => profile.remove());
  await app.whenReady();

  const folders = createMediaFolders();
  const appFiles = createAppFiles(path.join(__dirname, 'renderer'));
  hardenSession(session.defaultSession);
  serveScheme(protocol, (request) =>
    (request.url.host === APP_HOST ? appFiles : folders.serve)(request),
  );
  const origins = openOrigins(session.defaultSession);
  const requests = createRequestGuard(
    resolverOf(session.defaultSession),
    () => monotonicClock.nowMs(),
    (text) => notice(text),
    proxiedBy(session.defaultSession),
  );
  guardRequests(session.defaultSession, requests);
  let initialNotice: string | undefined;
  let tell = (text: string): void => {
    initialNotice = initialNotice === undefined ? text : `${initialNotice} ${text}`;
    warn(text);
  };
  for (const text of [electronWarning(process.versions.electron), profile.notice]) {
    if (text !== undefined) tell(text);
  }
  const wishes = openNetworkWishes(
    path.join(app.getPath('userData'), 'networks.json'),
    args.decision.networks,
    (text) => tell(text),
  );
  let info: StartInfo = {
    ...(await launchInfo(args, mptcp, folders)),
    ...(initialNotice !== undefined && { initialNotice }),
  };

  const window: BrowserWindow = createPlayerWindow(path.join(__dirname, 'preload.cjs'));
  const alive = (): boolean => !window.isDestroyed() && !window.webContents.isCrashed();
  const emit = <N extends AppEvent>(name: N, payload: AppEventPayload<N>): void => {
    if (alive()) window.webContents.send(appChannels.event(name), payload);
  };
  const notice = (text: string): void => {
    warn(text);
    emit('notice', { text: text.slice(0, limits.textChars) });
  };

  tell = notice;

  const paths = openAppPaths({ decision: args.decision, onProblem: notice });
  const ledger = new BudgetLedger();
  const report = createSessionReport(args.jsonFile);
  const sessions = new StreamSessions({
    logDir: args.logDir ?? defaultLogDir(process.env),
    logFormat: args.logFormat,
    keptLogBytes: args.keptLogBytes,
    launch: mptcp,
    pathControl: () => paths.forStream(),
    openCarriage: (kernelControl, origin) =>
      openAppCarriage({
        origin,
        choice: args.carriage,
        networks: wishes.networks,
        ledger,
        launch: mptcp,
        guard: requests,
        proxyFor: proxyOf(session.defaultSession),
        kernelControl,
        onNote: notice,
      }),
    deliver: (message) => {
      if (alive()) window.webContents.send(appChannels.feedDown, message);
    },
    onEvent: (event) => {
      if (event.type === 'error') warn(event.message);
      report.add(event);
    },
    onProblem: warn,
    onNotice: notice,
  });

  const shutdown = createShutdown({
    askWindow: (reason) => {
      emit('closing', { reason });
      return alive();
    },
    async close(reason) {
      await sessions.end(reason);
      await paths.close();
    },
    report(code) {
      const failure = report.write();
      if (failure !== undefined) warn(failure);
      // Nobody watches a timed run, so its exit code reports the result.
      const unattended = args.seconds !== undefined;
      if (unattended && report.failed) return 1;
      return code === 0 && failure !== undefined ? 1 : code;
    },
    exit: (code) => app.exit(code),
  });

  const trusted = (event: Parameters<typeof isTrustedSender>[0]): boolean =>
    alive() && isTrustedSender(event, window.webContents);
  const show = (chosen: AppResponse<'openFileDialog'>): void => {
    if (chosen.outcome === 'opened') emit('openRequested', chosen.source);
    if (chosen.outcome === 'failed') notice(chosen.error);
  };
  const openFile = async (): Promise<void> => show(await chooseFile(window, folders));

  handleApp(
    ipcMain,
    trusted,
    windowAnswers({
      window,
      info: () => withNetworks(info, foundNetworks(), wishes.networks),
      folders,
      requests,
      origins,
      wishes,
      sessions,
      report,
      say: warn,
      onChosen: show,
      onClosed: () => shutdown.windowClosed(),
    }),
  );
  handleFeed(ipcMain, trusted, {
    open: () => sessions.openFeed(),
    close: () => void sessions.end('closed'),
    up: (input) => sessions.receive(input),
    acknowledged: () => sessions.acknowledged(),
  });

  installMenu(() => void openFile(), !app.isPackaged);
  window.webContents.on('render-process-gone', (_event, details) => {
    const ended = `The window's process ended (${details.reason}).`;
    warn(ended);
    // The cause may still be there, so the stream waits for the viewer.
    const others = { ...info };
    delete others.initialSource;
    info = { ...others, initialError: `${ended} The stream can be opened again.` };
    void sessions.end('failed').then(() => {
      if (args.seconds !== undefined) shutdown.begin('interrupted', 1);
      else if (!shutdown.begun && !window.isDestroyed()) window.reload();
    });
  });
  endOn(window, shutdown, args.seconds);
}

/** Ends the app when the window closes, at a signal, with its launcher, or after its time. */
function endOn(window: BrowserWindow, shutdown: Shutdown, seconds: number | undefined): void {
  window.on('close', (event) => {
    event.preventDefault();
    shutdown.begin('closed', 0);
  });
  app.on('before-quit', (event) => {
    event.preventDefault();
    shutdown.begin('closed', 0);
  });
  for (const signal of END_SIGNALS) {
    process.on(signal, () => shutdown.begin('interrupted', exitStatusOf(null, signal)));
  }
  watchLauncher(process.env, () => shutdown.begin('interrupted', 1));
  if (seconds !== undefined) {
    setTimeout(() => shutdown.begin('time-up', 0), seconds * 1000);
  }
}
