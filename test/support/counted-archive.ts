import type { SegmentArchive } from '../../src/service/hls/segment-archive.ts';

/** An archive that writes nothing, and counts the folders that are still open. */
export class CountedArchive implements SegmentArchive {
  folders = 0;

  createFolder() {
    this.folders += 1;
    return {
      onShortage: () => {},
      write: async () => '',
      remove: async () => {},
      close: async () => {
        this.folders -= 1;
      },
    };
  }

  async close() {}
}
