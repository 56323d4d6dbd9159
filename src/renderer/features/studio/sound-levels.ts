import type { ChannelLevel, SourcePreview } from '../../../shared/model/capture.ts';
import { isSameSound, type SoundSource } from '../../../shared/model/source.ts';

/** The levels of a sound's channels in a preview, which may still be that of the mix before; undefined without any. */
export function findLevels(preview: SourcePreview | undefined, of: SoundSource): readonly ChannelLevel[] | undefined {
  return preview?.inputs.find((input) => isSameSound(input.of, of))?.levels;
}
