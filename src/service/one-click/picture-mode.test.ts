import { expect, test } from 'vitest';
import type { ListedDevice } from '../../shared/model/capture.ts';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import { type Source, testSource } from '../../shared/model/source.ts';
import { previewEncode } from './choose-settings.ts';
import { findPictureMode, parsePictureMode } from './picture-mode.ts';

const device = { id: ':0', name: 'Whole screen' };
const screen: Source = { ...testSource, picture: { main: { kind: 'screen', device } } };
/** No ffmpeg is asked. */
const sizeOf = (source: Source, listed: ListedDevice | 'missing' | undefined) =>
  findPictureMode('/nowhere/ffmpeg', source, { find: () => listed });

test.each(['screen', 'window', 'camera'] as const)('the size of a %s is what it is listed with', async (kind) => {
  const listed = { ...device, width: 1366, height: 768 };
  const source: Source = { ...testSource, picture: { main: { kind, device } } };
  expect(await sizeOf(source, listed)).toEqual({ width: 1366, height: 768, fps: undefined });
});

test('the size of what is listed without one, or not listed, is unknown, and so is that of a picture we make', async () => {
  expect([await sizeOf(screen, device), await sizeOf(screen, 'missing'), await sizeOf(screen, undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(await sizeOf(testSource, { ...device, width: 1366, height: 768 })).toBeUndefined();
});

test('a screen of 1366 × 768 gets 720p, and a doubt if more is asked for', async () => {
  const picture = await sizeOf(screen, { ...device, width: 1366, height: 768 });
  const costs = { estimate: () => ({ cores: 0.1, isMeasured: true }) };
  const facts = { encoder: 'libx264', picture, upload: undefined, othersBps: 0, cores: 16, renditionCores: 0, costs } as const;
  expect(previewEncode({ kind: 'automatic' }, facts).settings).toEqual(encodePresets['720p30']);
  expect(previewEncode({ kind: 'preset', name: '1080p30' }, facts).doubts).toEqual([
    { code: 'picture-smaller', width: 1366, height: 768 },
  ]);
});

test.each([
  ['    Side data:', '      displaymatrix: rotation of -90.00 degrees'],
  ['    Side data:', '      Display Matrix: rotation of 90.00 degrees'],
])('a video that was filmed upright is as high as it is shown: %s%s', (...sideData) => {
  const stream =
    'Stream #0:0[0x1](und): Video: h264 (Baseline) (avc1 / 0x31637661), yuv420p(progressive), 1280x720 [SAR 1:1 DAR 16:9], 30 fps, 30 tbr';
  const sound = '  Stream #0:1[0x2](und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, stereo, fltp, 128 kb/s (default)';
  const metadata = ['    Metadata:', '      handler_name    : VideoHandler'];
  expect(parsePictureMode([`  ${stream}`, ...metadata, ...sideData, sound].join('\n'))).toEqual({
    width: 720,
    height: 1280,
    fps: 30,
  });
  // Another track's rotation must not count.
  expect(parsePictureMode([`  ${stream}`, ...metadata, sound, ...sideData].join('\n'))).toEqual({
    width: 1280,
    height: 720,
    fps: 30,
  });
});

test('a video that was filmed upside down keeps its size', () => {
  const log = 'Stream #0:0: Video: hevc (Main), yuv420p, 1920x1080, 59.94 fps\n  displaymatrix: rotation of 180.00 degrees';
  expect(parsePictureMode(log)).toEqual({ width: 1920, height: 1080, fps: 59.94 });
});
