import { expect, test } from 'vitest';
import type { EncodeDoubt } from '../model/encode-settings.ts';
import { encodePresets } from '../model/encode-settings.ts';
import {
  describeBitrate,
  describeCores,
  describeDoubt,
  describeEncode,
  describeLowered,
  describeSettings,
  describeUpload,
} from './encode-words.ts';

test('every doubt about settings says what to do', () => {
  const doubts: Record<EncodeDoubt['code'], EncodeDoubt> = {
    'upload-too-small': { code: 'upload-too-small', usableBps: 3_000_000 },
    'cores-too-few': { code: 'cores-too-few' },
    'bitrate-low': { code: 'bitrate-low', usualBps: 6_000_000 },
    'picture-smaller': { code: 'picture-smaller', width: 1280, height: 720 },
  };
  expect(describeDoubt({ code: 'cores-too-few', isWithoutRenditions: true })).toBe(
    'This computer is too slow for these settings. Choose a smaller picture or fewer frames per second.',
  );
  expect(Object.values(doubts).map(describeDoubt)).toEqual([
    'Your upload can safely carry about 3\u202f000\u00a0kbit/s. Lower the bitrate, or viewers will miss frames.',
    'This computer is too slow for these settings. Choose a smaller picture, fewer frames per second or fewer renditions.',
    'Fast scenes will look blocky. For this size, 6\u202f000\u00a0kbit/s is usual.',
    'The picture is only 1280 × 720: encoding it larger costs more and shows no more detail.',
  ]);
});

test('what is encoded, and how that came about, before it is decided too', () => {
  const settings = encodePresets['720p30'];
  expect([
    describeEncode({ encode: { kind: 'automatic' } }),
    describeEncode({ encode: { kind: 'preset', name: '720p30' } }),
    describeEncode({ encode: { kind: 'automatic' }, settings }),
    describeEncode({ encode: { kind: 'preset', name: '720p30' }, settings }),
    describeEncode({ encode: { kind: 'by-hand', settings }, settings }),
  ]).toEqual([
    { picture: undefined, note: 'automatic' },
    { picture: undefined, note: '' },
    { picture: '1280 × 720 at 30\u00a0fps', note: '3\u202f160\u00a0kbit/s, automatic' },
    { picture: '1280 × 720 at 30\u00a0fps', note: '3\u202f160\u00a0kbit/s' },
    { picture: '1280 × 720 at 30\u00a0fps', note: '3\u202f160\u00a0kbit/s, custom' },
  ]);
});

test('a lowered bitrate is shown beside the chosen one', () => {
  const settings = encodePresets['720p30'];
  expect([describeLowered({ settings }), describeLowered({ settings, videoBitrateBps: 530_000 })]).toEqual([
    undefined,
    'video lowered to 530 of 3\u202f000\u00a0kbit/s',
  ]);
});

test('settings, and what they cost', () => {
  const cores = { encode: 1.04, capture: 0.2, renditions: 0.9, all: 8, isMeasured: false };
  const upload = { carriedBps: 3_200_000, measuredAt: 1 };
  expect([
    describeSettings(encodePresets['1080p60']),
    describeBitrate(encodePresets['1080p60']),
    describeCores({ cores }),
    describeCores({ cores: { encode: 0.03, capture: 0.01, renditions: 0, all: 1, isMeasured: true } }),
    describeUpload({ uploadBps: 6_160_000 }),
    describeUpload({ uploadBps: 6_160_000, upload }),
    describeUpload({ uploadBps: 6_160_000, upload: { ...upload, limitBps: 9_400_000 } }),
  ]).toEqual([
    '1920 × 1080 at 60\u00a0fps, 6\u202f160\u00a0kbit/s',
    '6\u202f160\u00a0kbit/s',
    '1.2 of 8 cores, and 0.9 for renditions (estimated)',
    'under 0.1 of 1 core (as measured here)',
    '6\u202f160\u00a0kbit/s (not measured yet)',
    '6\u202f160\u00a0kbit/s (3\u202f200\u00a0kbit/s or more measured)',
    '6\u202f160\u00a0kbit/s of about 9\u202f400\u00a0kbit/s measured',
  ]);
});

test('an upload that nothing else uses, and that is too small for any broadcast, is not said to be shared', () => {
  expect(describeDoubt({ code: 'upload-too-small', usableBps: 100_000 })).toBe(
    'Your upload can safely carry about 100\u00a0kbit/s. Lower the bitrate, or viewers will miss frames.',
  );
});

test('an upload that other broadcasts use, too, is said to be shared', () => {
  expect(describeDoubt({ code: 'upload-too-small', usableBps: 3_000_000, isShared: true })).toBe(
    'With your other broadcasts running, your upload can safely carry about 3\u202f000\u00a0kbit/s. Lower the bitrate, or viewers will miss frames.',
  );
  // Less than the smallest picture takes, with its sound.
  for (const usableBps of [0, 363_999]) {
    expect(describeDoubt({ code: 'upload-too-small', usableBps, isShared: true })).toBe(
      'Your other broadcasts already use what your upload can safely carry. Stop one of them, or viewers will miss frames.',
    );
  }
  expect(describeDoubt({ code: 'upload-too-small', usableBps: 364_000, isShared: true })).toContain('Lower the bitrate');
});
