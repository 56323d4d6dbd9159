import { expect, test } from 'vitest';
import { isDigitalSilence, toPcm } from './pcm.ts';

const samplesOf = (pcm: Uint8Array<ArrayBuffer>) => [...new Int16Array(pcm.buffer)];

test('two channels take turns, within 16 bits', () => {
  const pcm = toPcm([Float32Array.of(0, 1, -1, 2), Float32Array.of(0.5, -0.5, 0, -3)]);
  expect(samplesOf(pcm)).toEqual([0, 16384, 32767, -16383, -32767, 0, 32767, -32767]);
});

test('one channel is heard on both sides, and of five only the first two', () => {
  expect(samplesOf(toPcm([Float32Array.of(1)]))).toEqual([32767, 32767]);
  expect(samplesOf(toPcm([1, -1, 1, 1, 1].map((sample) => Float32Array.of(sample))))).toEqual([32767, -32767]);
});

test('only exact zeros are digital silence', () => {
  expect([[Float32Array.of(0, 0)], [Float32Array.of(0), Float32Array.of(1e-9)]].map(isDigitalSilence)).toEqual([true, false]);
});
