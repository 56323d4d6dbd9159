import type { LossCause } from '../../shared/model/refusal.ts';
import type { BroadcastEnd } from './broadcast-end.ts';

/** What changes of a stream may ask of its running broadcast. */
export interface LiveControl {
  /** Whether a broadcast runs, or begins: from when its encoder is admitted, which decides on its renditions. */
  isLive(streamId: string): boolean;
  /** Cuts the running broadcast, if there is one: its publisher is closed and its session ended when this returns. */
  endBroadcast(streamId: string, end: BroadcastEnd): void;
  /** Sends the stream's encoder away, unless it is our own; the broadcast waits for one to come back. */
  sendEncoderAway(streamId: string, cause: LossCause): void;
}
