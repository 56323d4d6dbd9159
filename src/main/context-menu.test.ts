import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, test, vi } from 'vitest';

const { opened } = vi.hoisted(() => ({ opened: [] as { template: object[]; window: unknown }[] }));
vi.mock('electron', () => ({
  Menu: {
    buildFromTemplate: (template: object[]) => ({
      popup: ({ window }: { window: unknown }) => opened.push({ template, window }),
    }),
  },
}));
// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { offerContextMenu } = await import('./context-menu.ts');

const nothing = { canCut: false, canCopy: false, canPaste: false, canSelectAll: true };

/** The items of the menu that a right click opens, disabled ones in brackets; undefined without a menu. */
function click(params: { isEditable: boolean; selectionText: string; editFlags: object }): string[] | undefined {
  opened.length = 0;
  const window = { webContents: new EventEmitter() };
  offerContextMenu(window as unknown as BrowserWindow);
  window.webContents.emit('context-menu', {}, params);
  const [menu] = opened;
  if (menu === undefined) return undefined;
  expect([opened.length, menu.window]).toEqual([1, window]);
  return menu.template.map((item) => {
    const { role = '', type, enabled } = item as { role?: string; type?: string; enabled?: boolean };
    return type ?? (enabled === false ? `(${role})` : role);
  });
}

test('a right click in a field offers what can be done there', () => {
  const editFlags = { ...nothing, canPaste: true };
  expect(click({ isEditable: true, selectionText: '', editFlags })).toEqual([
    '(cut)',
    '(copy)',
    'paste',
    'separator',
    'selectAll',
  ]);
  expect(click({ isEditable: true, selectionText: 'key', editFlags: { ...editFlags, canCut: true, canCopy: true } })).toEqual([
    'cut',
    'copy',
    'paste',
    'separator',
    'selectAll',
  ]);
});

test('a right click on selected text offers to copy it, and elsewhere there is no menu', () => {
  expect(click({ isEditable: false, selectionText: 'rtmp://…', editFlags: { ...nothing, canCopy: true } })).toEqual(['copy']);
  expect(click({ isEditable: false, selectionText: ' ', editFlags: nothing })).toBeUndefined();
});
