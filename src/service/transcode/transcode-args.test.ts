import { expect, test } from 'vitest';
import type { EncoderName } from '../../shared/model/encoder.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import { av1Format } from '../media/av1-format.ts';
import { h264Format } from '../media/h264-format.ts';
import { hevcFormat } from '../media/hevc-format.ts';
import { transcodeArgs } from './transcode-args.ts';

const source = { width: 1920, height: 1080, sampleAspect: { horizontal: 1, vertical: 1 }, format: h264Format };
const global = '-hide_banner -loglevel warning -nostats -nostdin -progress pipe:3 -stats_period 0.5';
const input = '-copyts -probesize 32 -analyzeduration 0 -fpsprobesize 0 -thread_type slice -f flv -i pipe:0';
const tail = '-enc_time_base 1:1000 -force_key_frames source -flvflags no_duration_filesize -flush_packets 1 -f flv';

function x264(fps: number, profile: string, bitrate: number, level: string): string {
  const rate = `-b:v ${bitrate} -maxrate ${bitrate} -bufsize ${bitrate}`;
  return (
    `-c:v libx264 -preset superfast -tune zerolatency -x264-params fps=${fps}000/1000 -profile:v ${profile} ${rate} ` +
    `-bf 0 -g 100000000 -level:v ${level} -forced-idr 1 -sc_threshold 0`
  );
}

test('the recommended ladder: one decode, a scale and an encoder for each profile, and a pipe out of each', () => {
  const args = transcodeArgs({ encoder: 'libx264', profiles: recommendedProfiles, source, sourceFps: 30, encodeAudio: false });
  const graph = [
    '[0:v:0]split=3[s0][s1][s2]',
    '[s0]scale=1280:720:out_range=tv,setsar=1,format=yuv420p[v0]',
    '[s1]scale=854:480:out_range=tv,setsar=1,format=yuv420p[v1]',
    '[s2]scale=640:360:out_range=tv,setsar=1,format=yuv420p[v2]',
  ].join(';');
  expect(args.join(' ')).toBe(
    [
      ...[global, input, `-filter_complex ${graph}`],
      ...['-map [v0]', x264(30, 'high', 3_000_000, '3.1'), `${tail} pipe:1`],
      ...['-map [v1]', x264(30, 'high', 1_600_000, '3.1'), `${tail} pipe:4`],
      ...['-map [v2]', x264(30, 'main', 800_000, '3.0'), `${tail} pipe:5`],
    ].join(' '),
  );
});

test('a fixed rate keeps every keyframe, a bitrate of kbit/s is read as such, other aspect ratios are padded, audio is encoded once', () => {
  const args = transcodeArgs({
    encoder: 'libx264',
    profiles: [{ name: 'square', bitrate: 900, fps: 50, width: 401, height: 401 }],
    source,
    sourceFps: undefined,
    encodeAudio: true,
  });
  const graph =
    '[0:v:0]select=key+isnan(prev_selected_t)+gt(round(t*50)\\,round(prev_selected_t*50)),fps=50:eof_action=pass,split=1[s0];' +
    '[s0]scale=400:226:out_range=tv,pad=400:400:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p[v0]';
  expect(args.join(' ')).toBe(
    [
      ...[global, input, `-filter_complex ${graph}`, '-map [v0]', x264(50, 'main', 900_000, '3.0'), `${tail} pipe:1`],
      '-map 0:a:0 -c:a aac -b:a 160k -af pan=stereo|FL<FL+0.707FC+0.707BL+0.707SL+0.5BC|FR<FR+0.707FC+0.707BR+0.707SR+0.5BC -flvflags no_duration_filesize -flush_packets 1 -f flv pipe:4',
    ].join(' '),
  );
});

test('a source that may have fields is deinterlaced before anything else, once for all renditions', () => {
  const args = transcodeArgs({
    encoder: 'libx264',
    profiles: recommendedProfiles.map((profile) => ({ ...profile, fps: 25 })),
    source: { ...source, mayBeInterlaced: true },
    sourceFps: 25,
    encodeAudio: false,
  });
  const graph = args[args.indexOf('-filter_complex') + 1]!;
  expect(graph).toMatch(/^\[0:v:0\]yadif=deint=interlaced,select=[^;]*,split=3\[s0\]\[s1\]\[s2\];/);
  expect(graph.match(/yadif/g)).toHaveLength(1);
});

const encoders: Record<Exclude<EncoderName, 'libx264'>, string> = {
  h264_nvenc:
    'format=yuv420p -c:v h264_nvenc -preset p4 -tune ull -rc cbr -zerolatency 1 -delay 0 COMMON -forced-idr 1 -no-scenecut 1',
  h264_qsv: 'format=nv12 -c:v h264_qsv -preset veryfast -async_depth 1 -look_ahead 0 COMMON -forced_idr 1',
  h264_vaapi: 'format=nv12,hwupload -c:v h264_vaapi -rc_mode CBR -async_depth 1 COMMON',
  h264_amf: 'format=nv12 -c:v h264_amf -usage ultralowlatency -quality speed -rc cbr COMMON -forced_idr 1',
  h264_videotoolbox: 'format=nv12 -c:v h264_videotoolbox -realtime 1 -allow_sw 0 COMMON',
};

for (const [encoder, expected] of Object.entries(encoders)) {
  test(`${encoder} is fed the pixels it takes, at a constant bitrate, with keyframes only where they are forced`, () => {
    const profiles = [{ name: '360p', bitrate: 800_000, fps: 0, width: 640, height: 360 }];
    const args = transcodeArgs({ encoder: encoder as EncoderName, profiles, source, sourceFps: 30, encodeAudio: false });
    const [pixels, ...codec] = expected
      .replace('COMMON', '-profile:v main -b:v 800000 -maxrate 800000 -bufsize 800000 -bf 0 -g GOP')
      .replace('GOP', encoder === 'h264_qsv' ? '65535' : '100000000')
      .split(' ');
    const device = encoder === 'h264_vaapi' ? ['-vaapi_device', '/dev/dri/renderD128'] : [];
    expect(args.join(' ')).toBe(
      [
        ...[global, ...device, input],
        `-filter_complex [0:v:0]split=1[s0];[s0]scale=640:360:out_range=tv,setsar=1,${pixels}[v0]`,
        ...['-map [v0]', ...codec, `${tail} pipe:1`],
      ].join(' '),
    );
  });
}

test("without an announced rate, bits are divided by the frames' times, and the level is for 60 fps", () => {
  const profiles = [{ name: '720p', bitrate: 3_000_000, fps: 0, width: 1280, height: 720 }];
  const words = transcodeArgs({ encoder: 'libx264', profiles, source, sourceFps: undefined, encodeAudio: false }).join(' ');
  expect(words).toContain(' -x264-params force-cfr=0 ');
  expect(words).toContain(' -level:v 3.2 ');
});

test.each([
  { format: h264Format, holdsBack: true },
  { format: hevcFormat, holdsBack: true },
  { format: av1Format, holdsBack: false },
])('frames of $format.name are held back by its decoder: $holdsBack', ({ format, holdsBack }) => {
  const profiles = recommendedProfiles;
  const args = transcodeArgs({
    encoder: 'libx264',
    profiles,
    source: { ...source, format },
    sourceFps: 30,
    encodeAudio: false,
  });
  expect(args.join(' ').includes(' -flags:v low_delay -f flv -i pipe:0 ')).toBe(!holdsBack);
});
