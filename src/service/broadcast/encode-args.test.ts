import { expect, test } from 'vitest';
import { encodeArgs } from './encode-args.ts';
import { encodeSettings } from './encode-settings.ts';

test('the whole argv for a file', () => {
  expect(
    encodeArgs({ kind: 'file', path: '/videos/Sunday: part 1.mkv' }, encodeSettings['720p30'], {
      clockFontPath: undefined,
      marksCapture: false,
    }),
  ).toEqual([
    ...['-hide_banner', '-loglevel', 'warning', '-nostats', '-progress', 'pipe:3', '-stats_period', '0.5'],
    ...['-stream_loop', '-1', '-re', '-i', 'file:/videos/Sunday: part 1.mkv'],
    ...['-map', '0:v:0', '-map', '0:a:0?'],
    '-vf',
    'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=30',
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...['-b:v', '3000000', '-maxrate', '3000000', '-bufsize', '3000000'],
    ...['-g', '30', '-keyint_min', '30', '-sc_threshold', '0', '-bf', '0'],
    ...['-c:a', 'aac', '-b:a', '160k', '-ar', '48000', '-ac', '2'],
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-flvflags', 'no_duration_filesize', '-flush_packets', '1'],
    ...['-f', 'flv', 'pipe:1'],
  ]);
});

test('the inputs and filters of the test picture with a clock', () => {
  const args = encodeArgs({ kind: 'test-picture' }, encodeSettings['1080p60'], {
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
      'scale=1920:1080:force_original_aspect_ratio=decrease,pad=1920:1080:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=60',
  );
});

test('where capture is marked, that comes before all other filters, and no timestamp is moved by an unknown amount', () => {
  const args = encodeArgs({ kind: 'test-picture' }, encodeSettings['720p30'], { clockFontPath: undefined, marksCapture: true });
  expect(args[args.indexOf('-vf') + 1]).toBe(
    String.raw`metadata=mode=add:key=tallylight.captured:value=1,metadata=mode=print:key=tallylight.captured:file=pipe\\:4:direct=1,` +
      'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=30',
  );
  expect(args.slice(-5)).toEqual(['-output_ts_offset', '1', '-f', 'flv', 'pipe:1']);
});
