import { expect, test } from 'vitest';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { encodeArgs } from './encode-args.ts';
import { encodeSettings } from './encode-settings.ts';

test('the whole argv for a file', () => {
  expect(
    encodeArgs({ kind: 'file', path: '/videos/Sunday: part 1.mkv' }, encodeSettings['720p30'], {
      encoder: 'libx264',
      looksAhead: false,
      clockFontPath: undefined,
      marksCapture: false,
    }),
  ).toEqual([
    ...['-hide_banner', '-loglevel', 'warning', '-nostats', '-progress', 'pipe:3', '-stats_period', '0.5'],
    ...['-stream_loop', '-1', '-re', '-i', 'file:/videos/Sunday: part 1.mkv'],
    ...['-map', '0:v:0', '-map', '0:a:0?'],
    '-vf',
    'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=30,format=yuv420p',
    ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-x264-params', 'fps=30000/1000'],
    ...['-profile:v', 'high', '-b:v', '3000000', '-maxrate', '3000000', '-bufsize', '3000000', '-bf', '0', '-g', '30'],
    ...['-level:v', '3.1', '-forced-idr', '1', '-sc_threshold', '0'],
    ...['-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-flvflags', 'no_duration_filesize', '-flush_packets', '1'],
    ...['-max_interleave_delta', '500000'],
    ...['-f', 'flv', 'pipe:1'],
  ]);
});

test('x264 looks ten frames ahead where latency may pay for it', () => {
  const words = encodeArgs({ kind: 'test-picture' }, encodeSettings['720p30'], {
    encoder: 'libx264',
    looksAhead: true,
    clockFontPath: undefined,
    marksCapture: false,
  });
  expect(words[words.indexOf('-x264-params') + 1]).toBe('fps=30000/1000:rc-lookahead=10:mbtree=1');
});

test('the inputs and filters of the test picture with a clock', () => {
  const args = encodeArgs({ kind: 'test-picture' }, encodeSettings['1080p60'], {
    encoder: 'libx264',
    looksAhead: false,
    clockFontPath: String.raw`C:\Tally light\Mono.ttf`,
    marksCapture: false,
  });
  expect(args.slice(8, 22)).toEqual([
    ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=60'],
    ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:beep_factor=2:sample_rate=48000,volume=0.2'],
    ...['-map', '0:v:0', '-map', '1:a:0'],
  ]);
  expect(args[args.indexOf('-vf') + 1]).toBe(
    String.raw`drawtext=fontfile=C\\:/Tally light/Mono.ttf:text=%{localtime\\:%H\\\\\\:%M\\\\\\:%S}:fontsize=108:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=27:x=(w-text_w)/2:y=h-text_h*2,` +
      'scale=1920:1080:force_original_aspect_ratio=decrease,pad=1920:1080:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=60,format=yuv420p',
  );
});

test('capture marks come before all other filters, and no timestamp is shifted by an unknown amount', () => {
  const args = encodeArgs({ kind: 'test-picture' }, encodeSettings['720p30'], {
    encoder: 'libx264',
    looksAhead: false,
    clockFontPath: undefined,
    marksCapture: true,
  });
  expect(args[args.indexOf('-vf') + 1]).toBe(
    String.raw`metadata=mode=add:key=tallylight.captured:value=1,metadata=mode=print:key=tallylight.captured:file=pipe\\:4:direct=1,` +
      'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=30,format=yuv420p',
  );
  expect(args.slice(-5)).toEqual(['-output_ts_offset', '1', '-f', 'flv', 'pipe:1']);
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
  const args = encodeArgs({ kind: 'file', path: '/videos/a.mkv' }, encodeSettings['1080p60'], {
    encoder: encoder as EncoderName,
    looksAhead: true,
    clockFontPath: undefined,
    marksCapture: false,
  });
  const common = '-profile:v high -b:v 6000000 -maxrate 6000000 -bufsize 6000000 -bf 0 -g 60';
  expect(args).toEqual([
    ...['-hide_banner', '-loglevel', 'warning', '-nostats', '-progress', 'pipe:3', '-stats_period', '0.5', ...device],
    ...['-stream_loop', '-1', '-re', '-i', 'file:/videos/a.mkv', '-map', '0:v:0', '-map', '0:a:0?'],
    '-vf',
    `scale=1920:1080:force_original_aspect_ratio=decrease,pad=1920:1080:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=60,${pixels}`,
    ...codec.replace('COMMON', common).split(' '),
    ...['-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-flvflags', 'no_duration_filesize', '-flush_packets', '1'],
    ...['-max_interleave_delta', '500000'],
    ...['-f', 'flv', 'pipe:1'],
  ]);
});
