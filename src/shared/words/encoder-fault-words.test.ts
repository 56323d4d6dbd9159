import { expect, test } from 'vitest';
import type { EncoderFault } from '../model/encoder.ts';
import { describeEncoderFault } from './encoder-fault-words.ts';

/** Every fault, with its sentence in Settings. */
const words: { [Code in EncoderFault['code']]: [Extract<EncoderFault, { code: Code }>, string] } = {
  'too-few-pictures': [{ code: 'too-few-pictures', made: 3, asked: 10 }, 'It made 3 of 10 frames.'],
  'no-forced-keyframes': [{ code: 'no-forced-keyframes' }, "It doesn't place keyframes where requested."],
  'too-late': [{ code: 'too-late', withinMs: 50 }, 'It made no frames within 0.05\u00a0s.'],
  'not-built-in': [{ code: 'not-built-in' }, 'This ffmpeg was built without it.'],
  unusable: [{ code: 'unusable' }, "ffmpeg can't use it on this computer."],
};

test.each(Object.values(words))('describes %j', (fault, sentence) => {
  expect(describeEncoderFault(fault)).toBe(sentence);
});
