import type { LossCause } from '../../shared/model/refusal.ts';
import type { EndCause } from './end-cause.ts';

/** What changes of a stream may ask of its running session. */
export interface LiveControl {
  /** Whether a session runs, or begins: from when its encoder is admitted, which decides on its renditions. */
  isLive(streamId: string): boolean;
  /** Ends the running session, if there is one: it has ended, and its publisher is closed, when this returns. */
  endSession(streamId: string, end: EndCause): void;
  /** Sends the stream's publisher away, unless it is our own; the session waits for one to come back. */
  sendPublisherAway(streamId: string, cause: LossCause): void;
}
