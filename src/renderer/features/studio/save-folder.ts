import { packZip, type TextFile } from './zip.ts';

type DirectoryPicker = (options: { id: string; mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;

/**
 * Saves a folder of text files: in the folder the user picks, where the browser can ask for one (File System Access, WICG), else as a
 * ZIP archive. Answers how it was saved, or that the user changed their mind.
 */
export async function saveFolder(name: string, files: readonly TextFile[]): Promise<'folder' | 'archive' | 'cancelled'> {
  const pick = (window as Window & { showDirectoryPicker?: DirectoryPicker }).showDirectoryPicker;
  if (pick !== undefined) {
    try {
      const place = await pick.call(window, { id: 'obs-profile', mode: 'readwrite' });
      await writeFiles(await place.getDirectoryHandle(name, { create: true }), files);
      return 'folder';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
      // The desktop app's window may not write folders, nor may a page without a secure context.
    }
  }
  download(`${name}.zip`, packZip(name, files));
  return 'archive';
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
