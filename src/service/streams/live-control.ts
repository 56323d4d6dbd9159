import type { LossCause } from '../../shared/model/refusal.ts';
import type { EndCause } from './end-cause.ts';

/** The calls on a running session that changes of its stream need. */
export interface LiveControl {
  /** Whether a session is running or starting. It starts when its publisher is admitted, which fixes its renditions. */
  isLive(streamId: string): boolean;
  /** Ends the running session, if any. When this returns it has ended and its publisher is closed. */
  endSession(streamId: string, end: EndCause): void;
  /** Disconnects the stream's publisher unless it is ours. The session waits for a publisher to return. */
  sendPublisherAway(streamId: string, cause: LossCause): void;
}
