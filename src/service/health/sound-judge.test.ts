import { expect, test } from 'vitest';
import type { SoundFrame } from './sound-frame.ts';
import { forgetLoudness, judgeSound, noSoundYet, type SoundState, stepSound } from './sound-judge.ts';

/** Mono speech at the target. */
const speech: SoundFrame = { momentaryLufs: -16, shortTermLufs: -16, truePeaksDbtp: [-6, -6], phase: 1 };
const pause: SoundFrame = { momentaryLufs: -55, shortTermLufs: -20, truePeaksDbtp: [-50, -50], phase: 0 };
const silence: SoundFrame = { momentaryLufs: -120, shortTermLufs: -120, truePeaksDbtp: [-120, -120], phase: 1 };

/** Digital silence just after a word, whose loudness is that of the last 0.4 s. */
const gated: SoundFrame = { ...speech, momentaryLufs: -20, truePeaksDbtp: [-120, -120], phase: 1 };

type Stretch = [seconds: number, frame: SoundFrame | ((index: number) => SoundFrame)];

/** Steps through these stretches, ten frames a second; returns the codes at the end. */
function hear(...stretches: Stretch[]) {
  return hearFor(-16, ...stretches);
}

/** As {@link hear}, with another target in LUFS. */
function hearFor(targetLufs: number, ...stretches: Stretch[]) {
  let state: SoundState = noSoundYet;
  let nowMs = 1_000;
  for (const [seconds, frame] of stretches) {
    for (let index = 0; index < seconds * 10; index += 1) {
      nowMs += 100;
      state = stepSound(state, typeof frame === 'function' ? frame(index) : frame, nowMs, targetLufs);
    }
  }
  return judgeSound(state, nowMs);
}

/** Loudness that goes up and down by `rangeLu` around `lufs`. */
const varying =
  (lufs: number, rangeLu: number, rest: Partial<SoundFrame> = {}) =>
  (index: number): SoundFrame => ({ ...speech, ...rest, momentaryLufs: lufs + (rangeLu / 2) * Math.sin(index) });
/** Every tenth frame is `other`. */
const atTimes = (usual: SoundFrame, other: SoundFrame) => (index: number) => (index % 10 === 9 ? other : usual);

const silent = { code: 'silent', severity: 'warn' };
const inverted = { code: 'inverted', severity: 'warn' };
const clipping = { code: 'clipping', severity: 'warn' };
const oneSided = (without: string) => ({ code: 'one-sided', severity: 'warn', without });
const off = (loudnessLufs: number) => ({ code: 'loudness-off', severity: 'warn', loudnessLufs, targetLufs: -16 });

test.each<[string, Stretch[], object[]]>([
  ['nothing yet', [], []],
  ['two minutes of speech at the target', [[120, varying(-16.5, 8)]], []],

  ['silence for 9.9 s', [[9.9, silence]], []],
  ['silence for 10.1 s', [[10.1, silence]], [silent]],
  [
    'room noise below −50 LUFS for 11 s',
    [
      [20, speech],
      [11, pause],
    ],
    [silent],
  ],
  [
    'speech with pauses of 9 s',
    [
      [9, pause],
      [1, speech],
      [9, pause],
      [1, speech],
      [9, pause],
    ],
    [],
  ],
  [
    'silence that has ended',
    [
      [60, silence],
      [0.1, speech],
    ],
    [],
  ],
  [
    'silence hides what was wrong before',
    [
      [20, { ...speech, phase: -1 }],
      [11, silence],
    ],
    [silent],
  ],

  ['one side inverted for 11 s', [[11, { ...speech, phase: -0.97 }]], [inverted]],
  ['one side inverted for 9 s', [[9, { ...speech, phase: -0.97 }]], []],
  ['one side inverted, with pauses that have no phase', [[22, atTimes({ ...speech, phase: -1 }, pause)]], [inverted]],
  [
    'wide stereo that is out of phase half of the time',
    [[60, (index) => ({ ...speech, phase: index % 2 === 0 ? -0.9 : 0.2 })]],
    [],
  ],
  ['unrelated sides', [[60, { ...speech, phase: 0 }]], []],
  [
    'an inverted side that was mended',
    [
      [20, { ...speech, phase: -1 }],
      [0.1, speech],
    ],
    [],
  ],

  ['only the left side for 11 s', [[11, { ...speech, truePeaksDbtp: [-6, -120], phase: 0 }]], [oneSided('right')]],
  [
    'only the right side, with crosstalk 50 dB below',
    [[11, { ...speech, truePeaksDbtp: [-60, -10], phase: 0 }]],
    [oneSided('left')],
  ],
  [
    'only the left side, through a noise gate that closes between words',
    [[22, atTimes({ ...speech, truePeaksDbtp: [-6, -120], phase: 0 }, gated)]],
    [oneSided('right')],
  ],
  ['one side inverted, through a noise gate', [[22, atTimes({ ...speech, phase: -1 }, gated)]], [inverted]],
  ['only the left side for 9 s', [[9, { ...speech, truePeaksDbtp: [-6, -120] }]], []],
  ['a guitar far left with its room far right', [[60, { ...speech, truePeaksDbtp: [-6, -36], phase: 0.1 }]], []],
  [
    'one side, then the other',
    [
      [9, { ...speech, truePeaksDbtp: [-6, -120] }],
      [9, { ...speech, truePeaksDbtp: [-120, -6] }],
    ],
    [],
  ],
  ['mono', [[60, { ...speech, truePeaksDbtp: [-6] }]], []],
  ['surround with silent rears', [[60, { ...speech, truePeaksDbtp: [-6, -120, -6, -120, -120, -120] }]], []],

  ['peaks over 0 dBTP now and then', [[10, atTimes(speech, { ...speech, truePeaksDbtp: [0.4, -1] })]], [clipping]],
  [
    'two peaks over 0 dBTP',
    [
      [0.2, { ...speech, truePeaksDbtp: [2, 2] }],
      [9, speech],
    ],
    [],
  ],
  ['peaks at 0 dBTP', [[20, { ...speech, truePeaksDbtp: [0, 0] }]], []],
  [
    'peaks over 0 dBTP more than 10 s ago',
    [
      [5, { ...speech, truePeaksDbtp: [1, 1] }],
      [10, speech],
    ],
    [],
  ],

  ['quiet speech for 59 s', [[59, varying(-26, 8)]], []],
  ['quiet speech for a minute', [[60, varying(-26, 8)]], [off(-25.1)]],
  ['loud music for a minute', [[60, varying(-9, 6)]], [off(-8.5)]],
  ['speech at the target, half of it pauses', [[125, (index) => (index % 20 < 10 ? pause : varying(-16.5, 8)(index))]], []],
  ['speech at the target over quiet music', [[60, (index) => varying(index % 20 < 15 ? -45 : -16.5, 8)(index)]], []],
  ['speech 2.8 LU off', [[60, varying(-19.7, 8)]], []],
  [
    'speech that was 4 LU off, and is 2.8 LU off',
    [
      [60, varying(-20.9, 8)],
      [60, varying(-19.7, 8)],
    ],
    [off(-18.8)],
  ],
  [
    'speech that was 4 LU off, and is 2 LU off',
    [
      [60, varying(-20.9, 8)],
      [60, varying(-18.9, 8)],
    ],
    [],
  ],
  ['a test tone far from the target', [[300, { ...speech, momentaryLufs: -35.7 }]], []],
  ['a test tone with beeps', [[300, varying(-35, 1.7)]], []],
  ['clipping and loud', [[60, varying(-6, 6, { truePeaksDbtp: [0.5, 0.5] })]], [clipping, off(-5.5)]],
])('%s', (_name, stretches, troubles) => {
  expect(hear(...stretches)).toEqual(troubles);
});

test('the target is the one that holds now', () => {
  const quiet = varying(-26, 8);
  const offBy = (targetLufs: number) => [{ code: 'loudness-off', severity: 'warn', loudnessLufs: -25.1, targetLufs }];
  expect([-30, -29, -28, -23, -22, -9].map((targetLufs) => hearFor(targetLufs, [60, quiet]))).toEqual([
    offBy(-30),
    offBy(-29),
    [],
    [],
    offBy(-22),
    offBy(-9),
  ]);
  // The target was changed in mid-show.
  const state = Array.from({ length: 1_200 }, (_, index) => index).reduce(
    (known, index) => stepSound(known, quiet(index), index * 100, index < 1_100 ? -16 : -24),
    noSoundYet,
  );
  expect(judgeSound(state, 120_000)).toEqual([]);
});

test('after a change of source its own minute is judged, and nothing of the one before', () => {
  const heardTo = (state: SoundState, frames: number, lufs: number) =>
    Array.from({ length: frames }, (_, index) => varying(lufs, 8)(index)).reduce(
      (known, frame, index) => stepSound(known, frame, index * 100, -16),
      state,
    );
  const quiet = heardTo(noSoundYet, 600, -32);
  expect(judgeSound(quiet, 60_000)).toMatchObject([{ code: 'loudness-off' }]);
  const changed = forgetLoudness(quiet);
  expect([judgeSound(changed, 60_000), changed.heardMs]).toEqual([[], quiet.heardMs]);
  expect(judgeSound(heardTo(changed, 590, -24), 59_000)).toEqual([]);
  expect(judgeSound(heardTo(changed, 600, -24), 60_000)).toEqual([off(-23.1)]);
});

test('old trouble is over once no audio has arrived for long', () => {
  const state = [0, 100, 200].reduce((known, atMs) => stepSound(known, loud, atMs, -16), noSoundYet);
  expect(judgeSound(state, 300)).toEqual([clipping]);
  expect(judgeSound(state, 20_000)).toEqual([]);
});
const loud: SoundFrame = { ...speech, truePeaksDbtp: [1, 1] };

test('frames without a loudness yet are not judged', () => {
  const first: SoundFrame = { momentaryLufs: undefined, shortTermLufs: undefined, truePeaksDbtp: [3, 3], phase: -1 };
  expect(hear([60, first])).toEqual([]);
});
