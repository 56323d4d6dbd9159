import { expect, test } from 'vitest';
import type { ListedDevice } from '../../shared/model/capture.ts';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import { type Source, testSource } from '../../shared/model/source.ts';
import { previewEncode } from './choose-settings.ts';
import { findPictureSize } from './picture-size.ts';

const device = { id: ':0', name: 'Whole screen' };
const screen: Source = { ...testSource, picture: { main: { kind: 'screen', device } } };
/** No ffmpeg is asked. */
const sizeOf = (source: Source, listed: ListedDevice | 'missing' | undefined) =>
  findPictureSize('/nowhere/ffmpeg', source, { find: () => listed });

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
  const facts = { encoder: 'libx264', picture, upload: undefined, cores: 16, renditionCores: 0, costs } as const;
  expect(previewEncode({ kind: 'automatic' }, facts).settings).toEqual(encodePresets['720p30']);
  expect(previewEncode({ kind: 'preset', name: '1080p30' }, facts).doubts).toEqual([
    { code: 'picture-smaller', width: 1366, height: 768 },
  ]);
});
