import { expect, test } from 'vitest';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { encodeAudioArgs, encodeVideoArgs } from './encode-args.ts';

const before = [
  ...['-hide_banner', '-loglevel', 'warning', '-nostats', '-nostdin', '-progress', 'pipe:3', '-stats_period', '0.5'],
];
const input = ['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0'];
const after = [
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-flvflags', 'no_duration_filesize', '-flush_packets', '1'],
  ...['-output_ts_offset', '1', '-f', 'flv', 'pipe:1'],
];

test('the whole argv with x264', () => {
  expect(encodeVideoArgs(encodePresets['720p30'], { encoder: 'libx264', looksAhead: false, bitrateBps: 3_000_000 })).toEqual([
    ...before,
    ...input,
    ...['-map', '0:v:0', '-vf', 'format=yuv420p'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-x264-params', 'fps=30000/1000'],
    ...['-profile:v', 'high', '-b:v', '3000000', '-maxrate', '3000000', '-bufsize', '3000000', '-bf', '0', '-g', '30'],
    ...['-level:v', '3.1', '-forced-idr', '1', '-sc_threshold', '0'],
    ...['-force_key_frames', 'expr:if(isnan(prev_forced_t),1,gte(t,(floor(prev_forced_t/1)+1)*1))'],
    ...after,
  ]);
});

test('x264 looks ten frames ahead where latency may pay for it', () => {
  const words = encodeVideoArgs(encodePresets['720p30'], { encoder: 'libx264', looksAhead: true, bitrateBps: 3_000_000 });
  expect(words[words.indexOf('-x264-params') + 1]).toBe('fps=30000/1000:rc-lookahead=10:mbtree=1');
});

const hardware: Record<Exclude<EncoderName, 'libx264'>, { device?: string[]; pixels: string; codec: string }> = {
  h264_nvenc: {
    pixels: 'format=yuv420p',
    codec: '-c:v h264_nvenc -preset p4 -tune ull -rc cbr -zerolatency 1 -delay 0 COMMON -forced-idr 1 -no-scenecut 1',
  },
  h264_qsv: {
    pixels: 'format=nv12',
    codec: '-c:v h264_qsv -preset veryfast -async_depth 1 -look_ahead 0 COMMON -forced_idr 1',
  },
  h264_vaapi: {
    device: ['-vaapi_device', '/dev/dri/renderD128'],
    pixels: 'format=nv12,hwupload',
    codec: '-c:v h264_vaapi -rc_mode CBR -async_depth 1 COMMON',
  },
  h264_amf: {
    pixels: 'format=nv12',
    codec: '-c:v h264_amf -usage ultralowlatency -quality speed -rc cbr COMMON -forced_idr 1',
  },
  h264_videotoolbox: {
    pixels: 'format=nv12',
    codec: '-c:v h264_videotoolbox -realtime 1 -allow_sw 0 COMMON',
  },
};

test.each(Object.entries(hardware))('the whole argv with %s', (encoder, { device = [], pixels, codec }) => {
  const args = encodeVideoArgs(encodePresets['1080p60'], {
    encoder: encoder as EncoderName,
    looksAhead: true,
    bitrateBps: 6_000_000,
  });
  const common = '-profile:v high -b:v 6000000 -maxrate 6000000 -bufsize 6000000 -bf 0 -g 60';
  expect(args).toEqual([
    ...[...before, ...device, ...input, '-map', '0:v:0', '-vf', pixels],
    ...codec.replace('COMMON', common).split(' '),
    ...['-force_key_frames', 'expr:if(isnan(prev_forced_t),1,gte(t,(floor(prev_forced_t/1)+1)*1))'],
    ...after,
  ]);
});

test('at a lower bitrate only the rate differs: profile and level stay those of the chosen bitrate', () => {
  const settings = { ...encodePresets['720p30'], videoBitrateBps: 20_000_000 };
  const args = (bitrateBps: number) => encodeVideoArgs(settings, { encoder: 'libx264', looksAhead: false, bitrateBps });
  expect(args(600_000)).toEqual(args(20_000_000).map((word) => (word === '20000000' ? '600000' : word)));
  expect(args(600_000).join(' ')).toContain('-level:v 3.2');
});

test('the whole argv for the audio', () => {
  expect(encodeAudioArgs({ audioBitrateBps: 128_000 })).toEqual([
    ...before,
    ...input,
    ...['-map', '0:a:0', '-c:a', 'aac', '-b:a', '128000', '-ar', '48000', '-ac', '2'],
    ...after,
  ]);
});
