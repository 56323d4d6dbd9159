import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';

/** Opens the menu of a right click in a text field or on selected text, which browsers have, but Electron doesn't. */
export function offerContextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    const copy: MenuItemConstructorOptions = { role: 'copy', enabled: editFlags.canCopy };
    const edit: MenuItemConstructorOptions[] = [
      { role: 'cut', enabled: editFlags.canCut },
      copy,
      { role: 'paste', enabled: editFlags.canPaste },
      { type: 'separator' },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ];
    if (isEditable) Menu.buildFromTemplate(edit).popup({ window });
    else if (selectionText.trim() !== '') Menu.buildFromTemplate([copy]).popup({ window });
  });
}
