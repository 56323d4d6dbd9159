import type { CaptureFault } from '../../shared/model/capture.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { HeldPicture } from './held-picture.ts';
import type { PacedPictures } from './paced-run.ts';
import type { PictureTap } from './picture-tap.ts';

/** The shortest time between two starts: an ffmpeg may keep failing at once. */
const retryMs = 1_000;

/** A picture of an ffmpeg's, and ffmpeg's last lines, oldest first. */
export interface KeptPicture extends PictureTap {
  readonly log: readonly string[];
}

/**
 * A picture that stays on when its ffmpeg has no new one.
 *
 * @param open starts an ffmpeg
 * @param needsAnother whether its ffmpeg has to be replaced
 */
export function keepPlayingPicture(open: () => PacedPictures, needsAnother: (pictures: PacedPictures) => boolean): KeptPicture {
  const held = new HeldPicture();
  let pictures = open();
  let openedAtMs = performance.now();
  /** How the previous ffmpeg ended, reported until the new one has media, has ended or is stuck. */
  let before: { fault: CaptureFault | undefined; log: readonly string[] } = { fault: undefined, log: [] };
  const current = () => (pictures.hadMedia || pictures.isDecoded || pictures.isStuck ? pictures : before);
  return {
    take() {
      if (needsAnother(pictures) && performance.now() - openedAtMs > retryMs) {
        const old = pictures;
        runHarmlessly(() => old.close(), 'closing a picture whose ffmpeg is of no more use');
        held.drop();
        const { fault, log } = old;
        before = { fault, log };
        pictures = open();
        openedAtMs = performance.now();
      }
      return held.show(pictures.take());
    },
    get fault() {
      return current().fault;
    },
    get log() {
      return current().log;
    },
    settled: pictures.settled,
    async close() {
      held.drop();
      await pictures.close();
    },
  };
}
