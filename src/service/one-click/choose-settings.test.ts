import { expect, test } from 'vitest';
import { createMemoryRecord } from '../../../test/support/memory-record.ts';
import { type EncodeChoice, type EncodeSettings, encodePresets } from '../../shared/model/encode-settings.ts';
import { chooseSettings, type EncodeFacts, previewEncode } from './choose-settings.ts';
import { EncodeCosts } from './encode-costs.ts';

const strong: EncodeFacts = {
  encoder: 'libx264',
  picture: { width: 1920, height: 1080, fps: 60 },
  upload: undefined,
  othersBps: 0,
  cores: 16,
  renditionCores: 0,
  costs: new EncodeCosts(createMemoryRecord({ costs: {} })),
};
const automatic: EncodeChoice = { kind: 'automatic' };
const choose = (facts: Partial<EncodeFacts>) => chooseSettings(automatic, { ...strong, ...facts });
const limited = (limitBps: number) => ({ carriedBps: limitBps, limitBps, measuredAt: 1 });

test('automatic takes the best that picture, computer and upload allow', () => {
  const chosen: [why: string, facts: Partial<EncodeFacts>, settings: EncodeSettings][] = [
    ['all of them do', {}, encodePresets['1080p60']],
    ['the picture has 30 frames', { picture: { width: 1920, height: 1080, fps: 29.97 } }, encodePresets['1080p30']],
    ['the picture is not known', { picture: undefined }, encodePresets['1080p30']],
    ['the picture is small', { picture: { width: 640, height: 360, fps: 60 } }, encodePresets['720p30']],
    ['the picture is larger than is usual', { picture: { width: 3840, height: 2160, fps: 60 } }, encodePresets['1080p60']],
    ['a computer with four cores', { cores: 4 }, encodePresets['1080p30']],
    ['a computer with two', { cores: 2 }, encodePresets['720p30']],
    ['hardware encodes', { cores: 2, encoder: 'h264_nvenc' }, encodePresets['1080p60']],
    ['renditions take what there was', { cores: 8, renditionCores: 2 }, encodePresets['1080p30']],
    ['the upload carries 8 Mbit/s', { upload: limited(8_000_000) }, encodePresets['1080p30']],
    ['the upload was never at its limit', { upload: { carriedBps: 900_000, measuredAt: 1 } }, encodePresets['1080p60']],
    [
      'the upload is too small for any',
      { upload: limited(2_000_000) },
      { ...encodePresets['720p30'], videoBitrateBps: 1_340_000 },
    ],
    [
      'the upload carries next to nothing',
      { upload: limited(100_000) },
      { ...encodePresets['720p30'], videoBitrateBps: 300_000 },
    ],
  ];
  for (const [why, facts, settings] of chosen) expect(choose(facts), why).toEqual(settings);
});

test.each([
  ['a maximised window', { width: 1920, height: 1040, fps: undefined }, encodePresets['1080p30']],
  ['a window of 16:10', { width: 1728, height: 1079, fps: undefined }, encodePresets['1080p30']],
  ['a film', { width: 1920, height: 800, fps: 60 }, encodePresets['1080p60']],
  ['a wide screen', { width: 2560, height: 1072, fps: undefined }, encodePresets['1080p30']],
  ['a smaller film', { width: 1280, height: 534, fps: 24 }, encodePresets['720p30']],
])('automatic keeps the size of %s, whose shape is not 16:9', (_what, picture, settings) => {
  expect(choose({ picture })).toEqual(settings);
  expect(previewEncode(automatic, { ...strong, picture }).doubts).toEqual([]);
});

test('a choice is kept, whatever it costs, and the preview says what is doubtful', () => {
  const facts: EncodeFacts = { ...strong, cores: 4, renditionCores: 0.5, upload: limited(8_000_000) };
  expect(previewEncode({ kind: 'preset', name: '2160p60' }, facts)).toEqual({
    settings: encodePresets['2160p60'],
    cores: {
      encode: (3840 * 2160 * 60) / 50e6,
      capture: (3840 * 2160 * 60) / 400e6,
      renditions: 0.5,
      all: 4,
      isMeasured: false,
    },
    uploadBps: 22_160_000,
    upload: limited(8_000_000),
    doubts: [
      { code: 'upload-too-small', usableBps: 6_000_000 },
      { code: 'cores-too-few' },
      { code: 'picture-smaller', width: 1920, height: 1080 },
    ],
  });
  const settings = { ...encodePresets['1080p60'], videoBitrateBps: 1_500_000 };
  expect(previewEncode({ kind: 'by-hand', settings }, { ...facts, cores: 16 }).doubts).toEqual([
    { code: 'bitrate-low', usualBps: 6_000_000 },
  ]);
  expect(previewEncode(automatic, facts).doubts).toEqual([]);
});

test('too few cores are those for encode, capture and renditions together', () => {
  const pixels = 1920 * 1080 * 60;
  const costs = { estimate: () => ({ cores: 3.5, isMeasured: true }) };
  const doubts = (renditionCores: number) =>
    previewEncode({ kind: 'preset', name: '1080p60' }, { ...strong, cores: 4, renditionCores, costs }).doubts;
  expect(previewEncode({ kind: 'preset', name: '1080p60' }, { ...strong, cores: 1, renditionCores: 0, costs }).doubts).toEqual([
    { code: 'cores-too-few', isWithoutRenditions: true },
  ]);
  const roomFor = 0.5 - pixels / 400e6;
  expect([doubts(roomFor - 0.01), doubts(roomFor + 0.01), doubts(3)]).toEqual([
    [],
    [{ code: 'cores-too-few' }],
    [{ code: 'cores-too-few' }],
  ]);
});

test('the cost is what earlier broadcasts have used, once there was one', () => {
  const costs = new EncodeCosts(createMemoryRecord({ costs: {} }));
  costs.learn('libx264', { cpuSeconds: 10, pixels: 1e9 });
  expect(costs.estimate('libx264', 1e8)).toEqual({ cores: 1, isMeasured: true });
  expect(costs.estimate('h264_nvenc', 4e8)).toEqual({ cores: 1, isMeasured: false });
  costs.learn('libx264', { cpuSeconds: 20, pixels: 1e9 });
  costs.learn('libx264', { cpuSeconds: 0, pixels: 1e9 });
  expect(costs.estimate('libx264', 1e8)).toEqual({ cores: 1.2, isMeasured: true });
});

test('what other broadcasts send on the same way is not there for this one', () => {
  const facts: EncodeFacts = { ...strong, upload: limited(8_000_000), othersBps: 6_000_000 };
  const preview = previewEncode({ kind: 'preset', name: '720p30' }, facts);
  expect(preview.doubts).toEqual([{ code: 'upload-too-small', usableBps: 0, isShared: true }]);
  expect(choose({ ...facts, othersBps: 4_000_000 })).toEqual({ ...encodePresets['720p30'], videoBitrateBps: 1_840_000 });
  expect(choose({ upload: { carriedBps: 900_000, measuredAt: 1 }, othersBps: 6_000_000 })).toEqual(encodePresets['1080p60']);
});
