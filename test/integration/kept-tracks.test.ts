import { describe, expect, it } from 'vitest';
import { formatFlvHeader, formatFlvTag } from '../../src/service/flv/flv-file.ts';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { formatVideoFrame, formatVideoHeader, parseVideoTag } from '../../src/service/flv/video-tag.ts';
import { parseAacConfig } from '../../src/service/media/aac.ts';
import { formatSilentFrame } from '../../src/service/media/aac-silence.ts';
import { makeBlackPicture } from '../../src/service/media/h264-black.ts';
import { h264Format } from '../../src/service/media/h264-format.ts';
import { addOwnParameters } from '../../src/service/media/h264-parameters.ts';
import { makeStill } from '../../src/service/media/h264-still.ts';
import { decodeFirstPicture, decodeSound, hashPictures } from '../support/ffmpeg.ts';
import { avcRecords } from '../support/flv-builder.ts';
import { makeSource, type SourceOptions } from '../support/synthetic-source.ts';

describe.concurrent('silence', () => {
  it.each([
    ['mono', '1188', 1],
    ['stereo', '1190', 2],
    ['three channels', '1198', 3],
    ['four channels', '11a0', 4],
    ['five channels', '11a8', 5],
    ['5.1', '11b0', 6],
    ['7.1 with front centre speakers', '11b8', 8],
    ['6.1', '11d8', 7],
    ['7.1', '11e0', 8],
    ['AAC Main', '0990', 2],
    ['AAC LTP', '2190', 2],
    ['frames of 960 samples', '1194', 2],
  ])('of %s decodes to silence in each frame', async (_name, hex, channels) => {
    const config = parseAacConfig(Buffer.from(hex, 'hex'));
    const frame = formatSilentFrame(config);
    const tags: FlvTag[] = [
      { kind: 'audio', timestampMs: 0, body: Buffer.from(`af00${hex}`, 'hex') },
      ...Array.from({ length: 20 }, (_, index) => ({
        kind: 'audio' as const,
        timestampMs: Math.floor((index * config.samplesPerFrame) / 48),
        body: Buffer.concat([Buffer.from('af01', 'hex'), frame ?? Buffer.alloc(0)]),
      })),
    ];
    expect(await decodeSound(tags)).toEqual(Buffer.alloc(20 * config.samplesPerFrame * channels * 2));
  });

  it.each([
    ['are described element by element', '118004c40500210000'],
    ['are those of 22.2', '11e8'],
    ['are 7.1 with speakers above', '11f0'],
  ])('is not available where the channels %s', (_name, hex) => {
    expect(formatSilentFrame(parseAacConfig(Buffer.from(hex, 'hex')))).toBeUndefined();
  });
});

describe.concurrent('a still picture', () => {
  it.each<[string, SourceOptions]>([
    ['of CAVLC', { x264: ['-profile:v', 'baseline'] }],
    ['of CABAC with B-frames', { x264: ['-bf', '3', '-b_strategy', '0', '-refs', '4'] }],
    ['of several slices', { x264: ['-bf', '0', '-slices', '4'] }],
    ['of interlaced pictures', { x264: ['-flags', '+ilme+ildct', '-x264-params', 'tff=1'] }],
    ['of 4:2:2', { x264: ['-pix_fmt', 'yuv422p'] }],
    ['of 4:4:4', { x264: ['-pix_fmt', 'yuv444p'] }],
    ['of 10 bits', { x264: ['-pix_fmt', 'yuv420p10le'] }],
    ['of keyframes alone', { gopFrames: 1 }],
    ['of weighted pictures', { x264: ['-bf', '3', '-weightp', '2'], filter: 'fade=in:0:50' }],
    ['whose size is no whole number of macroblocks', { size: '326x182' }],
  ])('%s lasts as long as it must, and the broadcast continues after it', async (_name, options) => {
    const tags = (await makeSource({ seconds: 3, audio: undefined, ...options })).filter(({ kind }) => kind === 'video');
    const [header, ...frames] = tags;
    const record = parseVideoTag(header?.body ?? Buffer.alloc(0));
    if (record.kind !== 'sequence-header') throw new Error('The source does not begin with a sequence header.');
    const config = addOwnParameters(h264Format.parseRecord(record.record));
    const back = frames.findIndex(({ timestampMs, body }) => timestampMs >= 2_000 && isKeyframe(body));
    const last = frames.findLastIndex(({ timestampMs, body }) => timestampMs < 2_000 && isKeyframe(body));
    const withHeader: FlvTag = { kind: 'video', timestampMs: 0, body: formatVideoHeader(config) };
    const keyframe = parseVideoTag(frames[last]?.body ?? Buffer.alloc(0));
    if (keyframe.kind !== 'frame') throw new Error('There is no keyframe.');
    const still = makeStill(keyframe.data, config);
    if (still === undefined) throw new Error('There is no still.');
    // Twice: more pictures than any of these encoders can count without wrapping.
    const { compositionTimeMs } = keyframe;
    const held = [0, 300].flatMap((from) => [
      { keyframe: true, index: from, data: still.picture },
      ...Array.from({ length: 299 }, (_, index) => ({
        keyframe: false,
        index: from + index + 1,
        data: still.repeat(index + 1),
      })),
    ]);
    const stillTags = held.map(({ index, ...frame }) => ({
      kind: 'video' as const,
      timestampMs: 2_000 + index * 40,
      body: formatVideoFrame({ format: config.format, ...frame, compositionTimeMs }),
    }));
    const hashes = await hashPictures([
      withHeader,
      ...frames.slice(0, last),
      ...stillTags,
      ...shift(frames.slice(back), 24_000),
    ]);
    const whole = await hashPictures(tags);
    const shown = whole[last] ?? '';
    expect(hashes).toEqual([...whole.slice(0, last), ...Array(600).fill(shown), ...whole.slice(back)]);
  });
});

describe.concurrent('a black picture', () => {
  it.each<[shape: string, record: string, pixels: number, black?: number]>([
    ['High, cropped from 1088 lines', avcRecords['1920x1080 at 30'], 1920 * 1080],
    ['Main', avcRecords['1280x720'], 1280 * 720],
    [
      'Baseline with samples of 7:5',
      '0142c01effe1001d6742c01ed900a02ff97ff000700051000003000100000300320f162e4801000568cb83cb20',
      640 * 360,
    ],
    [
      '4:2:2, of no whole number of macroblocks',
      '017a0016ffe1001b677a0016bcd9415087888fc044000003000400000301e03c58b65801000768ebe3cb3002c0fef8f800',
      322 * 242,
    ],
    [
      'PAL, interlaced',
      '0164001effe100186764001eacd940b424d8208000000300800000194f8a14cb01000668fba3cb22c0fdf8f800',
      720 * 576,
    ],
    [
      '4:4:4 with scaling lists',
      '01f4000dffe1001967f4000d919b282a10f1f1f808800001f480007530478a14cb01000868ebe3c44c000440fff8f800',
      322 * 242,
    ],
    [
      'no colour, whose levels are not stretched',
      '01640016ffe1001a67640016f36505421e3e3f016c80000003008000003c078b16cb01000668ebe3cb22c0fcf8f800',
      322 * 242,
      16,
    ],
  ])('in the format of %s is black and still', async (_name, hex, pixels, black = 0) => {
    const config = addOwnParameters(h264Format.parseRecord(Buffer.from(hex, 'hex')));
    const still = makeStill(makeBlackPicture(config) ?? Buffer.alloc(0), config);
    // Its length doesn't fit into one byte.
    expect(makeBlackPicture({ ...config, nalLengthBytes: 1 })).toBeUndefined();
    if (still === undefined) throw new Error('There is no still.');
    const tags: FlvTag[] = [
      { kind: 'video', timestampMs: 0, body: formatVideoHeader(config) },
      ...[still.picture, ...Array.from({ length: 39 }, (_, index) => still.repeat(index + 1))].map((data, index) => ({
        kind: 'video' as const,
        timestampMs: index * 40,
        body: formatVideoFrame({ format: h264Format, keyframe: index === 0, compositionTimeMs: 0, data }),
      })),
    ];
    const flv = Buffer.concat([formatFlvHeader({ hasAudio: false, hasVideo: true }), ...tags.map(formatFlvTag)]);
    expect(await decodeFirstPicture(flv)).toEqual(Buffer.alloc(pixels, black));
    const hashes = await hashPictures(tags);
    expect(hashes).toEqual(Array(40).fill(hashes[0]));
  });
});

function isKeyframe(body: Buffer): boolean {
  const tag = parseVideoTag(body);
  return tag.kind === 'frame' && tag.keyframe;
}

function shift(tags: readonly FlvTag[], byMs: number): FlvTag[] {
  return tags.map((tag) => ({ ...tag, timestampMs: tag.timestampMs + byMs }));
}
