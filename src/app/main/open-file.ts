import { dialog, type BrowserWindow } from 'electron';
import { errorText, printable } from '../../core';
import type { AppResponse } from '../../ipc';
import type { MediaFolders } from './media-folders';

/** Lets the viewer choose an MPD file; its folder becomes readable by the window. */
export async function chooseFile(
  window: BrowserWindow,
  folders: MediaFolders,
): Promise<AppResponse<'openFileDialog'>> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open a DASH manifest',
    properties: ['openFile'],
    filters: [
      { name: 'DASH manifests', extensions: ['mpd', 'xml'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  const file = filePaths[0];
  if (canceled || file === undefined) return { outcome: 'cancelled' };
  return openChosen(file, folders);
}

/**
 * Opens a file that the viewer dropped onto the window, after a question: the window is untrusted, and could name any
 * file.
 */
export async function openDropped(
  window: BrowserWindow,
  folders: MediaFolders,
  file: string,
): Promise<AppResponse<'openFileDialog'>> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'Open this stream?',
    detail: `${printable(file)}\n\nThe player may then read the files of its folder.`,
    buttons: ['Open', 'Cancel'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0 ? openChosen(file, folders) : { outcome: 'cancelled' };
}

async function openChosen(
  file: string,
  folders: MediaFolders,
): Promise<AppResponse<'openFileDialog'>> {
  try {
    return { outcome: 'opened', source: await folders.open(file) };
  } catch (error) {
    return { outcome: 'failed', error: errorText(error) };
  }
}
