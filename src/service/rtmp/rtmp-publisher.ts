import type { FlvTag } from '../flv/flv-tag.ts';
import type { PublisherProgress } from '../publishing/media-publisher.ts';

/** A tag's role for a decoder: `config` is needed before everything after it, and `keyframe` and `frame` are video. */
export type TagRole = 'config' | 'keyframe' | 'frame' | 'audio';

/** A publication that takes tags. */
export interface RtmpPublisher extends PublisherProgress {
  /** Sends or queues a tag, or drops it if too much is waiting and its role allows. Never throws; does nothing after the end. */
  send(tag: FlvTag, role: TagRole): void;
  /** How long the oldest media that waits to be sent has been waiting, in milliseconds. */
  readonly queuedMs: number;
}
