import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Clock } from '../ports.ts';
import type { CanDecode } from './decoder-probe.ts';
import type { LadderBounds } from './ladder-bounds.ts';
import type { LadderListener } from './ladder-events.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import type { Processors } from './processors.ts';

/** A ladder's renditions, encoder and listeners. */
export interface LadderOptions {
  /** Asked for each ffmpeg that it starts: another one may have taken its place. */
  ffmpegPath: () => string;
  encoder: EncoderName;
  /** The formats that this ffmpeg decodes. */
  canDecode: CanDecode;
  /** At least one. */
  renditions: readonly LadderRendition[];
  clock: Pick<Clock, 'monotonicMs'>;
  onEvent: LadderListener;
  /** The frame rate that the publisher announced, if any; it decides the H.264 level. */
  sourceFps?: () => number | undefined;
  bounds?: LadderBounds;
  /** Aborts when the service closes; draining takes less time then. */
  closing?: AbortSignal;
  /** Tells whether there is room for a shed rendition; this computer's own by default. */
  processors?: Processors;
}
