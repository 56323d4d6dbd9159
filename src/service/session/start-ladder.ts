import type { Clock } from '../ports.ts';
import type { EncoderChooser, PickedEncoder } from '../transcode/encoder-choice.ts';
import { Ladder } from '../transcode/ladder.ts';
import { LadderInWaiting } from '../transcode/ladder-in-waiting.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import { LateLadder } from '../transcode/late-ladder.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';
import type { StartLadder } from './publisher-renditions.ts';

/**
 * Starts a ladder with an encoder of this computer. While encoders are being tried, the ladder waits; if none works, it reports
 * that, and starts as soon as one does.
 */
export function startLadder(
  options: Parameters<StartLadder>[0],
  {
    encoders,
    ...ladder
  }: {
    encoders: Pick<EncoderChooser, 'picked' | 'pickSoon' | 'onFound' | 'ffmpegPath'>;
    clock: Pick<Clock, 'monotonicMs'>;
  } & Pick<LadderOptions, 'bounds' | 'closing'>,
): RunningLadder {
  const { renditions, onEvent } = options;
  const make = ({ ffmpeg, encoder, canDecode }: PickedEncoder): Ladder | 'no-ffmpeg' | 'no-encoder' => {
    if (ffmpeg.kind === 'missing') return 'no-ffmpeg';
    if (encoder === undefined) return 'no-encoder';
    return new Ladder({ ...options, ...ladder, encoder, canDecode, ffmpegPath: () => encoders.ffmpegPath ?? ffmpeg.path });
  };
  const start = (picked: PickedEncoder): RunningLadder => {
    const made = make(picked);
    if (typeof made === 'object') return made;
    const names = renditions.map(({ profile }) => profile.name);
    onEvent({ code: 'given-up', severity: 'warn', names, why: { kind: made } }, []);
    leaveAll();
    return new LateLadder({
      onFound: (listener) => encoders.onFound(listener),
      start: () => {
        const late = encoders.picked && make(encoders.picked);
        return typeof late === 'object' ? late : undefined;
      },
    });
  };
  const leaveAll = () => {
    for (const rendition of renditions) rendition.onLeave({ atOnce: true });
  };
  const { picked } = encoders;
  if (picked !== undefined) return start(picked);
  return new LadderInWaiting({ encoder: encoders.pickSoon({ decodes: true }), start, onFailure: leaveAll });
}
