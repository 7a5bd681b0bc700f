import { Menu, type MenuItemConstructorOptions } from 'electron';

/** The application menu; `developer` adds the items for developers. */
export function installMenu(openFile: () => void, developer: boolean): void {
  const tools: MenuItemConstructorOptions[] = developer
    ? [{ type: 'separator' }, { role: 'toggleDevTools' }]
    : [];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: '&File',
        submenu: [
          { label: '&Open file…', accelerator: 'CmdOrCtrl+O', click: openFile },
          { type: 'separator' },
          { role: 'quit' },
        ],
      },
      { label: '&Edit', role: 'editMenu' },
      {
        label: '&View',
        submenu: [
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { type: 'separator' },
          { role: 'togglefullscreen' },
          ...tools,
        ],
      },
    ]),
  );
}
