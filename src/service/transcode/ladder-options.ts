import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { Clock } from '../ports.ts';
import type { CanDecode } from './decoder-probe.ts';
import type { LadderBounds } from './ladder-bounds.ts';
import type { LadderListener } from './ladder-voice.ts';
import type { Processors } from './processors.ts';
import type { RenditionListener } from './rendition-listener.ts';

/** What a ladder is made of, and who hears from it. */
export interface LadderOptions extends RenditionListener {
  ffmpegPath: string;
  encoder: EncoderName;
  /** What ffmpeg can be fed with. */
  canDecode: CanDecode;
  /** At least one, in the order that indexes of profiles refer to. */
  profiles: readonly Profile[];
  clock: Pick<Clock, 'monotonicMs'>;
  onEvent: LadderListener;
  /** The frame rate that the publisher says it sends, if any: it decides on the H.264 level. */
  sourceFps?: () => number | undefined;
  bounds?: LadderBounds;
  /** Aborts when the service closes: what comes out is waited for less long then. */
  closing?: AbortSignal;
  /** Tells whether there is room for what was shed; by default this computer's own. */
  processors?: Processors;
}
