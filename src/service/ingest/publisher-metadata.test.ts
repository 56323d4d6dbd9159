import { expect, test } from 'vitest';
import { encoderMetadata } from '../../../test/support/flv-builder.ts';
import { parsePublisherMetadata } from './publisher-metadata.ts';

const read = (properties: Parameters<typeof encoderMetadata>[0]) => parsePublisherMetadata(encoderMetadata(properties).body);

test('reads the metadata that OBS sends', () => {
  expect(
    read({
      encoder: 'obs-output module (libobs version 29.0.2.1-1+b1)',
      framerate: 30,
      videocodecid: 7,
      videodatarate: 3_000,
      audiodatarate: 160,
    }),
  ).toEqual({
    statedSoftware: 'obs-output module (libobs version 29.0.2.1-1+b1)',
    fps: 30,
    bitrateBps: 3_160_000,
    announcesVideo: true,
  });
});

test("ffmpeg's muxer announces rates in units of 1,024 bit/s", () => {
  const metadata = { encoder: 'Lavf60.16.100', videodatarate: 3_000_000 / 1_024, audiodatarate: 160_000 / 1_024 };
  expect(read(metadata).bitrateBps).toBe(3_160_000);
});

test('a frame rate that is the ticks of a clock is unknown: what ffmpeg encodes from a WebM without a rate announces 1000', () => {
  expect([1_000, 300.1, 0.9, 0].map((framerate) => read({ framerate }).fps)).toEqual(Array(4).fill(undefined));
  expect([300, 59.94, 1].map((framerate) => read({ framerate }).fps)).toEqual([300, 59.94, 1]);
});

test('missing or nonsensical metadata is unknown', () => {
  const nothing = { statedSoftware: undefined, fps: undefined, bitrateBps: undefined, announcesVideo: false };
  expect(read({})).toEqual(nothing);
  expect(read({ encoder: '', framerate: -1, videodatarate: 0, audiodatarate: 160 })).toEqual(nothing);
  expect(read({ videodatarate: Number.POSITIVE_INFINITY })).toEqual(nothing);
  expect(read({ videodatarate: 3_000, audiodatarate: -5 }).bitrateBps).toBe(3_000_000);
});
