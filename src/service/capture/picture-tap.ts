import type { CaptureFault } from '../../shared/model/capture.ts';
import type { PooledFrame } from './frame-pool.ts';

/** Gives a feed pictures of one size. */
export interface PictureTap {
  /** The picture of the feed's next frame, to be released by the caller; undefined while it is away: viewers see black. */
  take(): PooledFrame | undefined;
  /** Why it is away; undefined while it isn't, and until it is known. */
  readonly fault: CaptureFault | undefined;
  /** It has its first picture, or is known to be away. */
  readonly settled: Promise<void>;
  close(): Promise<void>;
}
