import { expect, test } from 'vitest';
import type { SoundInput } from '../../shared/model/source.ts';
import { sampleRate } from './feed-format.ts';
import { silenceDb } from './level-meter.ts';
import { Mixer, type SoundTap } from './mixer.ts';

/** A sound of one value on each side. */
const constant = (left: number, right: number): SoundTap => ({
  take(target) {
    for (let index = 0; index < target.length; index += 2) {
      target[index] = left;
      target[index + 1] = right;
    }
    return target.length / 2;
  },
});
const loud: SoundInput = { of: { kind: 'test-tone' }, levelDb: 0, isMuted: false };
const read = (bytes: Buffer) => Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));

test('inputs are added, each at its level; a muted one is not heard', () => {
  const mixer = new Mixer();
  mixer.set(
    [
      { tap: constant(1_000, -2_000), settings: loud },
      { tap: constant(1_000, 1_000), settings: { ...loud, levelDb: -20 } },
      { tap: constant(9_000, 9_000), settings: { ...loud, isMuted: true } },
    ],
    false,
  );
  expect(read(mixer.mix(2))).toEqual([1_100, -1_900, 1_100, -1_900]);
});

test('without inputs, and where an input has too little, there is silence', () => {
  const mixer = new Mixer();
  expect(read(mixer.mix(2))).toEqual([0, 0, 0, 0]);
  mixer.set([{ tap: { take: (target) => target.fill(500, 0, 2) && 1 }, settings: loud }], false);
  expect(read(mixer.mix(2))).toEqual([500, 500, 0, 0]);
});

test('a level that changes glides over one block, so that nothing clicks', () => {
  const mixer = new Mixer();
  const tap = constant(10_000, 10_000);
  mixer.set([{ tap, settings: loud }], false);
  mixer.mix(4);
  mixer.set([{ tap, settings: { ...loud, isMuted: true } }], false);
  expect(read(mixer.mix(4)).filter((_, index) => index % 2 === 0)).toEqual([10_000, 7_500, 5_000, 2_500]);
  expect(read(mixer.mix(1))).toEqual([0, 0]);
});

test('a mix that is too loud clips without the limiter, and never does with it', () => {
  const inputs = [constant(30_000, 0), constant(30_000, 0)].map((tap) => ({ tap, settings: loud }));
  const mixer = new Mixer();
  mixer.set(inputs, false);
  expect(Math.max(...read(mixer.mix(sampleRate / 10)))).toBe(32_767);
  mixer.set(inputs, true);
  // The step at the start rings.
  mixer.mix(sampleRate);
  const limited = read(mixer.mix(sampleRate / 10)).filter((_, index) => index % 2 === 0);
  // −2 dBFS.
  const ceiling = 10 ** (-2 / 20) * 32_768;
  expect(limited.filter((sample) => sample < 0.99 * ceiling || sample > ceiling)).toEqual([]);
});

test('a limiter that is switched on again has forgotten what it heard before', () => {
  const mixer = new Mixer();
  mixer.set([{ tap: constant(10_000, 10_000), settings: loud }], true);
  mixer.mix(sampleRate / 10);
  mixer.set([], false);
  mixer.mix(sampleRate / 10);
  mixer.set([], true);
  expect(read(mixer.mix(sampleRate / 10)).filter((sample) => sample !== 0)).toEqual([]);
});

test('levels are measured for each input as it is in the mix, 0.1 s at a time', () => {
  const mixer = new Mixer();
  mixer.set([{ tap: constant(3_277, 0), settings: { ...loud, levelDb: -20 } }], false);
  expect(mixer.levels).toEqual([{ of: loud.of, levels: Array(2).fill({ peakDb: silenceDb, rmsDb: silenceDb }) }]);
  mixer.mix(sampleRate / 10);
  expect(mixer.levels).toEqual([
    {
      of: loud.of,
      levels: [
        { peakDb: -40, rmsDb: -40 },
        { peakDb: silenceDb, rmsDb: silenceDb },
      ],
    },
  ]);
});
