import { useEffect } from 'react';
import { droppedFilesMessage } from '../../../shared/dropped-files.ts';
import { isDesktopPage } from '../../client/is-desktop-page.ts';
import { useLatest } from '../../hooks/use-latest.ts';

/** The handlers of dropped files. */
interface DropListener {
  /** Files of this computer, by their paths. Only the desktop app knows them. */
  onPaths: (paths: string[]) => void;
  /** Files in a browser, which reveals only their names. */
  onNames: (names: string[]) => void;
}

/** Takes files that are dropped anywhere onto the window. */
export function useDroppedFiles(listener: DropListener): void {
  const latest = useLatest(listener);
  useEffect(() => {
    const onDrop = (event: DragEvent) => {
      const names = [...(event.dataTransfer?.files ?? [])].map(({ name }) => name);
      if (names.length === 0) return;
      // In the app, the preload sends their paths.
      if (!isDesktopPage(window)) latest.current.onNames(names);
    };
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source === window && data?.kind === droppedFilesMessage) latest.current.onPaths(data.paths);
    };
    window.addEventListener('drop', onDrop);
    window.addEventListener('message', onMessage);
    return () => {
      window.removeEventListener('drop', onDrop);
      window.removeEventListener('message', onMessage);
    };
  }, [latest]);
}
