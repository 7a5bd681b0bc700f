import { dialog, type BrowserWindow } from 'electron';
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
  try {
    return { outcome: 'opened', source: await folders.open(file) };
  } catch (error) {
    return { outcome: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}
