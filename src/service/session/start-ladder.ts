import type { Clock } from '../ports.ts';
import type { EncoderChooser, PickedEncoder } from '../transcode/encoder-choice.ts';
import { Ladder } from '../transcode/ladder.ts';
import { LadderInWaiting } from '../transcode/ladder-in-waiting.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';
import type { StartLadder } from './publisher-renditions.ts';

/**
 * Starts a ladder with what this computer can encode with. While its encoders are being tried, the ladder waits; where there is
 * nothing to encode with, it says so and starts none.
 */
export function startLadder(
  options: Parameters<StartLadder>[0],
  {
    encoders,
    ...ladder
  }: { encoders: Pick<EncoderChooser, 'picked' | 'pickSoon'>; clock: Pick<Clock, 'monotonicMs'> } & Pick<
    LadderOptions,
    'bounds' | 'closing'
  >,
): RunningLadder | undefined {
  const { renditions, onEvent } = options;
  const start = ({ ffmpeg, encoder, canDecode }: PickedEncoder): RunningLadder | undefined => {
    if (ffmpeg.kind === 'missing') return refuse('no-ffmpeg');
    if (encoder === undefined) return refuse('no-encoder');
    return new Ladder({ ...options, ...ladder, encoder, canDecode, ffmpegPath: ffmpeg.path });
  };
  const refuse = (kind: 'no-ffmpeg' | 'no-encoder') => {
    const names = renditions.map(({ profile }) => profile.name);
    onEvent({ code: 'given-up', severity: 'warn', names, why: { kind } }, []);
    leaveAll();
    return undefined;
  };
  const leaveAll = () => {
    for (const rendition of renditions) rendition.onLeave({ atOnce: true });
  };
  const { picked } = encoders;
  if (picked !== undefined) return start(picked);
  return new LadderInWaiting({ encoder: encoders.pickSoon({ decodes: true }), start, onFailure: leaveAll });
}
