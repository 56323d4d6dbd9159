import { expect, test } from 'vitest';
import { describeUnmeasured } from './audio-words.ts';

test.each([
  ['no-ffmpeg', "The sound isn't measured: ffmpeg isn't available."],
  ['undecodable', "The sound isn't measured: this ffmpeg can't decode it. Use a newer one."],
  ['failed', "The sound isn't measured: ffmpeg keeps failing. Tallylight keeps trying."],
] as const)('audio that is not measured has a reason: %s', (why, said) => {
  expect(describeUnmeasured({ kind: 'unmeasured', why })).toBe(said);
});
