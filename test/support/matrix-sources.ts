import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { withMessageFrames } from './flv-builder.ts';
import { makeSource, type SourceOptions, shiftTags } from './synthetic-source.ts';

/** A kind of broadcast that a publisher may send, and its expected segments, computed from how it is made. */
export interface MatrixSource {
  tags: () => Promise<FlvTag[]>;
  /** The longest frame. */
  frameMs: number;
  /** Duration of each of its segments, in seconds: one list from each discontinuity to the next. */
  segments: number[][];
  /** How many of its video messages have a picture; by default all frames. */
  pictures?: number;
  /** `PART-TARGET` at the end, in seconds. */
  partTarget: number;
  /** `fps` of the profiles; 0, the source's own rate, by default. */
  fps?: number;
  /** Sending speed, as a multiple of real time; 2 by default. */
  speed?: number;
}

const at25 = { frameMs: 40, partTarget: 0.2 };
const four = [[1, 1, 1, 1]];
const fourOf1001 = [[1.001, 1.001, 1.001, 1.001]];

/** Four seconds at 25 fps, with a keyframe every second and AAC, unless `options` differ. */
function encoded(options: SourceOptions, source: Omit<MatrixSource, 'tags'>): MatrixSource {
  return { tags: () => makeSource({ seconds: 4, ...options }), ...source };
}

/** The same with its tags transformed. */
function edited(edit: (tags: FlvTag[]) => FlvTag[], source: Omit<MatrixSource, 'tags'>, options?: SourceOptions): MatrixSource {
  return { tags: async () => edit(await makeSource({ seconds: 4, ...options })), ...source };
}

const isHeader = ({ kind, body }: FlvTag) => kind === 'script' || body[1] === 0;
const withoutMetadata = (tags: readonly FlvTag[]) => tags.filter(({ kind }) => kind !== 'script');
/** Keeps only the frames of one kind that `isKept` selects; its sequence header moves to the first of them. */
function keepFrames(tags: readonly FlvTag[], kind: FlvTag['kind'], isKept: (timestampMs: number) => boolean): FlvTag[] {
  const first = tags.find((tag) => tag.kind === kind && !isHeader(tag) && isKept(tag.timestampMs));
  return tags.flatMap((tag) => {
    if (tag.kind !== kind) return [tag];
    if (isHeader(tag)) return [];
    if (!isKept(tag.timestampMs)) return [];
    const header = tags.find((other) => other.kind === kind && isHeader(other));
    return tag === first && header ? [{ ...header, timestampMs: tag.timestampMs }, tag] : [tag];
  });
}

const openGops = ['-bf', '3', '-b_strategy', '0', '-x264-params', 'open-gop=1:b-pyramid=2'];
const keyframeEverySecond = ['-bf', '0', '-force_key_frames', 'expr:gte(t,n_forced)'];
/** 25, 8 and 25 frames per second in turn, within each second. */
const varying: SourceOptions = {
  filter: "select='not(between(mod(n,25),5,20)*mod(n,3))'",
  gopFrames: 10_000,
  x264: keyframeEverySecond,
};

const shortEnd = { ...at25, segments: [[1, 1, 1, 1, 0.04]] };
/** A stopped encoder drops the audio it has not encoded yet. */
const endSoundEarly = (tags: readonly FlvTag[]) =>
  tags.filter(({ kind, timestampMs }) => kind !== 'audio' || timestampMs < 3_900);

/** The sources by name. */
export const matrixSources: Record<string, MatrixSource> = {
  '23.976 fps': encoded({ rate: '24000/1001', gopFrames: 24 }, { frameMs: 42, partTarget: 0.25025, segments: fourOf1001 }),
  '25 fps': encoded({}, { ...at25, segments: four }),
  '29.97 fps': encoded({ rate: '30000/1001', gopFrames: 30 }, { frameMs: 34, partTarget: 0.2002, segments: fourOf1001 }),
  '50 fps': encoded({ rate: '50', gopFrames: 50 }, { frameMs: 20, partTarget: 0.2, segments: four }),
  '60 fps': encoded({ rate: '60', gopFrames: 60 }, { frameMs: 17, partTarget: 0.2, segments: four }),
  'B-frames': encoded({ x264: ['-bf', '3', '-b_strategy', '0'] }, { ...at25, segments: four }),
  'open GOPs, and B-frames as references': encoded({ x264: openGops }, { ...at25, segments: four }),
  'keyframes that cannot be decoded alone': encoded(
    { x264: ['-bf', '0', '-x264-params', 'intra-refresh=1'] },
    { ...at25, segments: four },
  ),
  'a message without a picture before each frame': edited(withMessageFrames, { ...at25, segments: four, pictures: 100 }),
  'a variable frame rate': encoded(varying, { frameMs: 120, partTarget: 0.2, segments: four }),
  'a variable frame rate without sound': encoded(
    { ...varying, audio: undefined },
    { frameMs: 120, partTarget: 0.2, segments: four },
  ),
  'a picture that freezes now and then': encoded(
    { ...varying, filter: "select='lt(mod(n,25),10)'" },
    { frameMs: 640, partTarget: 0.2, segments: [[1, 1, 1, 0.4]] },
  ),
  // No part of about 200 ms divides 25 frames of 20 ms, so each GOP is a segment.
  'a GOP of half a second': encoded(
    { rate: '50', gopFrames: 25 },
    { frameMs: 20, partTarget: 0.2, segments: [Array(8).fill(0.5)] },
  ),
  // The first segment ends before the part target is known.
  'keyframes only': encoded({ seconds: 4.04, gopFrames: 1 }, { ...at25, segments: [[0.12, ...Array(8).fill(0.48), 0.08]] }),
  'a GOP of 10 s': encoded({ seconds: 21, gopFrames: 250 }, { ...at25, segments: [[10, 10, 1]], speed: 6 }),
  'a keyframe only at the start': encoded({ seconds: 33, gopFrames: 10_000 }, { ...at25, segments: [[30, 3]], speed: 6 }),
  'no sound': encoded({ audio: undefined }, { ...at25, segments: four }),
  // Its metadata would announce video, and the audio would wait for it.
  'audio alone at first': edited((tags) => keepFrames(withoutMetadata(tags), 'video', (ms) => ms >= 2000), {
    ...at25,
    // The part target of its audio alone, nine frames, which the playlist has promised.
    partTarget: 0.192,
    segments: [
      // An AAC frame is never split: the last one before the video is a segment by itself.
      [1, 1, 0.01],
      [1, 1],
    ],
  }),
  'audio alone while video is awaited': edited(
    (tags) => tags.filter((tag) => tag.kind !== 'video' || isHeader(tag) || tag.timestampMs >= 2000),
    { ...at25, segments: [[1, 1]] },
  ),
  'video alone at first': edited((tags) => keepFrames(tags, 'audio', (ms) => ms >= 2000), {
    ...at25,
    segments: [
      [1, 1],
      [1, 1],
    ],
  }),
  'a resolution change mid-stream': {
    async tags() {
      const isBefore = ({ kind, timestampMs }: FlvTag) => kind !== 'video' || timestampMs < 2_000;
      const other = (await makeSource({ seconds: 2, size: '240x180', audio: undefined })).filter(
        ({ kind }) => kind === 'video',
      );
      const tags = (await makeSource({ seconds: 4 })).filter(isBefore);
      // Audio comes first among tags of the same time.
      return [...tags, ...shiftTags(other, 2_021)].sort((one, two) => one.timestampMs - two.timestampMs);
    },
    ...at25,
    segments: [
      [1, 1],
      [1, 1],
    ],
  },
  'timestamps that jump by an hour': edited(
    (tags) => [...tags, ...shiftTags(tags, 3_602_000).filter((tag) => !isHeader(tag))],
    {
      ...at25,
      segments: [
        [1, 1],
        [1, 1],
      ],
    },
    { seconds: 2 },
  ),
  'timestamps that wrap at 2^32 ms': edited((tags) => shiftTags(tags, 2 ** 32 - 2_500), { ...at25, segments: four }),
  'timestamps that go back': edited(
    (tags) => [...shiftTags(tags, 8_000), ...shiftTags(tags, 1_000)],
    {
      ...at25,
      segments: [
        [1, 1],
        [1, 1],
      ],
    },
    { seconds: 2 },
  ),
  'one segment': encoded({ seconds: 0.8 }, { ...at25, segments: [[0.8]] }),
  'an end in the middle of a segment': encoded({ seconds: 4.52 }, { ...at25, segments: [[1, 1, 1, 1, 0.52]] }),
  'an end in the middle of a segment, with B-frames': encoded(
    { seconds: 4.52, x264: ['-bf', '3', '-b_strategy', '0'] },
    { ...at25, segments: [[1, 1, 1, 1, 0.52]] },
  ),
  'an end with one picture after the audio': edited(endSoundEarly, shortEnd, { seconds: 4.04 }),
  'an end with one picture after the audio, into 24 fps': edited(endSoundEarly, { ...shortEnd, fps: 24 }, { seconds: 4.04 }),
  '25 fps into 30': encoded({}, { ...at25, fps: 30, segments: four }),
  '59.94 fps into 25, with B-frames': encoded(
    { rate: '60000/1001', gopFrames: 60, x264: ['-bf', '3', '-b_strategy', '0'] },
    { ...at25, partTarget: 0.2002, fps: 25, segments: fourOf1001 },
  ),
  'a variable frame rate into 30 fps': encoded(varying, { frameMs: 120, partTarget: 0.2, fps: 30, segments: four }),
};
