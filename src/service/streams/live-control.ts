import type { EndReason } from '../../shared/model/live.ts';

/** What changes of a stream may ask of its running broadcast. */
export interface LiveControl {
  isLive(streamId: string): boolean;
  /** Cuts the running broadcast, if there is one: its publisher is closed and its session ended when this returns. */
  endBroadcast(streamId: string, reason: EndReason): void;
}
