import { expect, test } from 'vitest';
import { findPicker } from './save-folder.ts';

const pick = async () => ({}) as FileSystemDirectoryHandle;
const pageOf = (userAgent: string, showDirectoryPicker?: typeof pick) => ({
  navigator: { userAgent },
  ...(showDirectoryPicker && { showDirectoryPicker }),
});

test('only a browser that can write folders asks for one, not the desktop app', () => {
  const chrome = 'Mozilla/5.0 Chrome/140.0.0.0 Safari/537.36';
  expect([
    findPicker(pageOf(chrome, pick)),
    findPicker(pageOf(chrome)),
    findPicker(pageOf('Mozilla/5.0 Chrome/140.0.0.0 Electron/38.0.0 Safari/537.36', pick)),
  ]).toEqual([pick, undefined, undefined]);
});
