import { expect, onTestFinished, test } from 'vitest';
import { noCaptures } from '../../../test/support/no-captures.ts';
import type { Source } from '../../shared/model/source.ts';
import { SourceParts } from './source-parts.ts';

const format = { width: 16, height: 16, fps: 30 };
const tools = {
  ...noCaptures,
  ffmpegPath: '/nonexistent/ffmpeg',
  deviceFfmpegs: { paths: new Map(), installCommand: undefined },
  clockFontPath: undefined,
};
const files = (...paths: string[]) => ({ kind: 'files', paths, loops: false }) as const;
const loud = { levelDb: 0, isMuted: false };
const source: Source = {
  picture: {
    main: files('/show.mp4'),
    inset: { of: { kind: 'still', path: '/logo.png' }, corner: 'top-left', share: 0.5 },
  },
  sound: {
    inputs: [
      { of: { kind: 'of-picture' }, ...loud },
      { of: files('/music.mp3'), ...loud },
      { of: { kind: 'test-tone' }, ...loud },
    ],
    limits: true,
  },
};

async function open(of: Source, before?: SourceParts): Promise<SourceParts> {
  const parts = new SourceParts(of, format, tools, before);
  onTestFinished(() => parts.close());
  await parts.settled;
  return parts;
}

/** Which parts of one are the same as those of the other. */
function compare(one: SourceParts, other: SourceParts) {
  return [
    one.main === other.main,
    one.inset === other.inset,
    ...one.sounds.map(({ tap }, input) => tap === other.sounds[input]?.tap),
  ];
}

test('another source keeps the parts that the one before has, even those of files that failed', async () => {
  const before = await open(source);
  const after = await open({ ...source, sound: { ...source.sound, limits: false } }, before);
  expect(compare(after, before)).toEqual([true, true, true, true, true]);
  expect(after.awayBeside(before)).toEqual([]);
});

test('choosing the same source again reopens files that failed, with the sound of the picture', async () => {
  const before = await open(source);
  const after = await open(structuredClone(source), before);
  expect(compare(after, before)).toEqual([false, false, false, false, true]);
  expect(after.awayBeside(before).map(({ part }) => part)).toEqual(['picture', 'inset', 'sound']);
});

test('a sound that is muted in the mix is not missed, whatever it lacks', async () => {
  const [ofPicture, music] = [{ of: { kind: 'of-picture' } } as const, { of: files('/music.mp3') }];
  const awayInputs = async (...inputs: Source['sound']['inputs']) => {
    const { away } = await open({ picture: { main: { kind: 'test-picture' } }, sound: { inputs, limits: false } });
    return away.filter(({ part }) => part === 'sound').map(({ input }) => input);
  };
  expect(await awayInputs({ ...ofPicture, ...loud }, { ...music, ...loud })).toEqual([1]);
  expect(await awayInputs({ ...music, ...loud, isMuted: true }, { ...music, ...loud })).toEqual([1]);
  expect(await awayInputs({ ...music, ...loud, isMuted: true })).toEqual([]);
});
