import { BrowserWindow, nativeTheme } from 'electron';
import { windowPreferences } from './security';
import { APP_URL } from './scheme';

/** The only window, shown once it is rendered. */
export function createPlayerWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 640,
    minHeight: 480,
    title: 'multipath-dash',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14161a' : '#f6f7f9',
    autoHideMenuBar: true,
    show: false,
    webPreferences: {
      ...windowPreferences(preload),
      // A stream of the command line plays without a click.
      autoplayPolicy: 'no-user-gesture-required',
    },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(APP_URL);
  return window;
}
