import type { ChannelLevel, SourcePreview } from '../../../shared/model/capture.ts';
import { isSameSound, type SoundSource } from '../../../shared/model/source.ts';

/** The levels of a sound's channels in a preview, which may still show the previous mix; undefined without any. */
export function findLevels(preview: SourcePreview | undefined, of: SoundSource): readonly ChannelLevel[] | undefined {
  return preview?.inputs.find((input) => isSameSound(input.of, of))?.levels;
}
