import { expect, test } from 'vitest';
import type { SourcePreview } from '../../../shared/model/capture.ts';
import type { SoundSource } from '../../../shared/model/source.ts';
import { findLevels } from './sound-levels.ts';

const tone: SoundSource = { kind: 'test-tone' };
const microphone: SoundSource = { kind: 'microphone', device: { id: 'mic', name: 'Microphone' } };

test("a sound's levels are its own while the preview still shows the mix before a change", () => {
  const [loud, quiet] = [[{ peakDb: -3, rmsDb: -6 }], [{ peakDb: -60, rmsDb: -63 }]];
  const preview: SourcePreview = {
    inputs: [
      { of: tone, levels: loud },
      { of: microphone, levels: quiet },
    ],
    away: [],
  };
  // The tone has been removed from the mix, and another microphone added.
  expect(findLevels(preview, microphone)).toEqual(quiet);
  expect(findLevels(preview, { ...microphone, device: { id: 'other', name: 'Other' } })).toBeUndefined();
  expect(findLevels(undefined, microphone)).toBeUndefined();
});
