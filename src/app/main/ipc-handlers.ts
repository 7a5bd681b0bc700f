import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import {
  appChannels,
  parseAppRequest,
  type AppInvocation,
  type AppRequest,
  type AppResponse,
} from '../../ipc';

export type AppHandlers = {
  [N in AppInvocation]: (request: AppRequest<N>) => Promise<AppResponse<N>>;
};

export interface FeedHandlers {
  open(): void;
  close(): void;
  up(message: unknown): void;
  acknowledged(): void;
}

type Trust = (event: IpcMainEvent | IpcMainInvokeEvent) => boolean;

/** Answers only the window: a request from another sender or outside the schema is refused. */
export function handleApp(ipcMain: IpcMain, trusted: Trust, handlers: AppHandlers): void {
  const handle = <N extends AppInvocation>(name: N, handler: AppHandlers[N]): void => {
    ipcMain.handle(appChannels.invoke(name), (event, input: unknown) => {
      if (!trusted(event)) throw new Error(`${name}: refused, not from the player's window`);
      const request = parseAppRequest(name, input);
      if (!request.ok) throw new Error(`refused: ${request.error}`);
      return handler(request.value);
    });
  };
  handle('openFileDialog', handlers.openFileDialog);
  handle('checkStream', handlers.checkStream);
  handle('openDropped', handlers.openDropped);
  handle('beginStream', handlers.beginStream);
  handle('getLaunchInfo', handlers.getLaunchInfo);
  handle('saveNetwork', handlers.saveNetwork);
  handle('sessionClosed', handlers.sessionClosed);
}

/** Receives the window's feed messages; messages of other senders are dropped. */
export function handleFeed(ipcMain: IpcMain, trusted: Trust, handlers: FeedHandlers): void {
  const on = (channel: string, handler: (input: unknown) => void): void => {
    ipcMain.on(channel, (event, input: unknown) => {
      if (trusted(event)) handler(input);
    });
  };
  on(appChannels.feedOpen, () => handlers.open());
  on(appChannels.feedClose, () => handlers.close());
  on(appChannels.feedUp, (input) => handlers.up(input));
  on(appChannels.feedAck, () => handlers.acknowledged());
}
