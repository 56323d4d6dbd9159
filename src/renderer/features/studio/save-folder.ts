import { isDesktopPage, type PagePlace } from '../../client/is-desktop-page.ts';
import { packZip, type TextFile } from './zip.ts';

type DirectoryPicker = (options: { id: string; mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;

/**
 * Saves a folder of text files: in a folder the user picks if the browser supports that (File System Access, WICG), else as a
 * ZIP archive. Returns how it was saved, or that the user cancelled.
 */
export async function saveFolder(name: string, files: readonly TextFile[]): Promise<'folder' | 'archive' | 'cancelled'> {
  const pick = findPicker(window);
  if (pick !== undefined) {
    try {
      const place = await pick.call(window, { id: 'obs-profile', mode: 'readwrite' });
      await writeFiles(await place.getDirectoryHandle(name, { create: true }), files);
      return 'folder';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
      // The picked folder may not be writable.
    }
  }
  download(`${name}.zip`, packZip(name, files));
  return 'archive';
}

/** The folder picker, if there is one. The desktop app's page may not write folders, so it doesn't ask. */
export function findPicker(
  page: Pick<PagePlace, 'navigator'> & { showDirectoryPicker?: DirectoryPicker },
): DirectoryPicker | undefined {
  return isDesktopPage(page) ? undefined : page.showDirectoryPicker;
}

async function writeFiles(folder: FileSystemDirectoryHandle, files: readonly TextFile[]): Promise<void> {
  for (const { name, text } of files) {
    const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await writable.write(text);
    await writable.close();
  }
}

function download(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/zip' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
