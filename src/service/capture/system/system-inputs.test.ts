import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toStereo } from '../../media-tools/to-stereo.ts';
import { capturePictureArgs, captureSoundArgs, timedSoundArgs } from '../capture-run.ts';
import { type DevicePicture, type DeviceSound, knowsColours, systemInputs } from '../system-inputs.ts';
import { testPictureArgs } from '../test-picture.ts';

const format = { width: 1280, height: 720, fps: 30 };

beforeEach(() => vi.stubEnv('WAYLAND_DISPLAY', undefined));
afterEach(() => vi.unstubAllEnvs());

function inputOf(platform: NodeJS.Platform, kind: (DevicePicture | DeviceSound)['kind'], id: string): string | undefined {
  const device = { id, name: 'Any' };
  const inputs = systemInputs(platform);
  const isSound = kind === 'microphone' || kind === 'system';
  return (isSound ? inputs.sound({ kind, device }) : inputs.picture({ kind, device }, format))?.join(' ');
}

test.each([
  ['linux', 'screen', ':0', '-f x11grab -framerate 30 -draw_mouse 1 -i :0'],
  [
    'linux',
    'screen',
    ':0@HDMI-1 2560x1440+1920,0',
    '-f x11grab -framerate 30 -draw_mouse 1 -video_size 2560x1440 -i :0+1920,0',
  ],
  ['linux', 'camera', '/dev/video0', '-f v4l2 -input_format mjpeg -framerate 30 -video_size 1280x720 -i /dev/video0'],
  ['linux', 'microphone', 'mic', '-f pulse -name Tallylight -fragment_size 1920 -i mic'],
  ['linux', 'system', 'speakers.monitor', '-f pulse -name Tallylight -fragment_size 1920 -i speakers.monitor'],
  ['darwin', 'screen', 'Capture screen 1', '-f avfoundation -framerate 30 -capture_cursor 1 -i Capture screen 1:none'],
  ['darwin', 'camera', 'Camera', '-f avfoundation -framerate 30 -i Camera:none'],
  ['darwin', 'microphone', 'Mic', '-f avfoundation -i none:Mic'],
  ['darwin', 'window', '7', undefined],
  ['darwin', 'system', '0', undefined],
  ['win32', 'screen', 'ddagrab:0', '-f lavfi -i ddagrab=output_idx=0:framerate=30:draw_mouse=1,hwdownload,format=bgra'],
  ['win32', 'screen', 'desktop', '-f gdigrab -framerate 30 -draw_mouse 1 -i desktop'],
  [
    'win32',
    'screen',
    '1920x1080+-1920,0',
    '-f gdigrab -framerate 30 -draw_mouse 1 -offset_x -1920 -offset_y 0 -video_size 1920x1080 -i desktop',
  ],
  ['win32', 'window', 'Slides', '-f gdigrab -framerate 30 -draw_mouse 1 -i title=Slides'],
  ['win32', 'camera', 'Integrated Camera', '-f dshow -rtbufsize 64M -i video=Integrated Camera'],
  ['win32', 'microphone', 'Mikrofon', '-f dshow -audio_buffer_size 20 -i audio=Mikrofon'],
  ['win32', 'system', 'Speakers', undefined],
] as const)('on %s, a %s “%s”', (platform, kind, id, expected) => {
  expect(inputOf(platform, kind, id)).toBe(expected);
});

test('the window of an X11 display is named by its number', () => {
  const display = process.env.DISPLAY ?? ':0';
  expect(inputOf('linux', 'window', '0x60000a Firefox')).toBe(
    `-f x11grab -framerate 30 -draw_mouse 1 -window_id 6291466 -i ${display}`,
  );
});

test("under Wayland the session's own X11 display has no screens or windows: it is black where no program draws on it", () => {
  vi.stubEnv('WAYLAND_DISPLAY', 'wayland-0');
  vi.stubEnv('DISPLAY', ':0.0');
  const own = [':0', ':0.0', ':0@HDMI-1 2560x1440+1920,0'].map((id) => inputOf('linux', 'screen', id));
  expect([...own, inputOf('linux', 'window', '0x60000a Firefox')]).toEqual([undefined, undefined, undefined, undefined]);
  expect(inputOf('linux', 'screen', ':99')).toBe('-f x11grab -framerate 30 -draw_mouse 1 -i :99');
  expect(inputOf('linux', 'camera', '/dev/video0')).toBeDefined();
  vi.stubEnv('DISPLAY', undefined);
  expect(inputOf('linux', 'window', '0x60000a Firefox')).toBeUndefined();
});

test('on Linux a camera sends raw pictures where they fit through USB 2, or if it has no others', () => {
  const camera = { kind: 'camera', device: { id: '/dev/video0', name: 'Any' } } as const;
  const inputs = systemInputs('linux');
  const raw = (size: string) => ['-f', 'v4l2', '-framerate', '30', '-video_size', size, '-i', '/dev/video0'];
  expect(inputs.picture(camera, format, true)).toEqual(raw('1280x720'));
  expect(inputs.picture(camera, { ...format, width: 640, height: 480 })).toEqual(raw('640x480'));
});

test('on Linux a camera is opened by its path, since its id may be a link that leads to another of its model', () => {
  const device = {
    id: '/dev/v4l/by-id/usb-Webcam-video-index0',
    name: 'Webcam',
    path: '/dev/v4l/by-path/usb-0:2:1.0-video-index0',
  };
  expect(systemInputs('linux').picture({ kind: 'camera', device }, format)?.slice(-2)).toEqual(['-i', device.path]);
});

test('the colours of screens are known, and those of cameras on Linux, except of raw pictures in HD', () => {
  const sd = { width: 640, height: 480 };
  expect(knowsColours('screen', format, false, 'linux')).toBe(true);
  expect(knowsColours('screen', format, false, 'win32')).toBe(true);
  expect(knowsColours('camera', format, false, 'linux')).toBe(true);
  expect(knowsColours('camera', format, true, 'linux')).toBe(false);
  expect(knowsColours('camera', sd, true, 'linux')).toBe(true);
  expect(knowsColours('camera', format, false, 'win32')).toBe(false);
});

const quiet = ['-hide_banner', '-loglevel', 'error', '-nostats'];
const fit =
  "scale=w='min(1280,max(2,round(720*dar)))':h='min(720,max(2,round(1280/dar)))':out_range=tv,pad=1280:720:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p";

test('the whole argv of a capture of pictures, and of sound', () => {
  expect(capturePictureArgs(['-i', 'file:/a b.mp4'], format, { filters: ['fps=30'] })).toEqual([
    ...[...quiet, '-i', 'file:/a b.mp4', '-map', '0:v:0', '-an', '-sn', '-dn'],
    ...['-vf', `fps=30,${fit}`, '-r', '30', '-f', 'rawvideo', 'pipe:1'],
  ]);
  const sound = [...quiet, '-f', 'pulse', '-i', 'mic', '-map', '0:a:0', '-vn', '-sn', '-dn'];
  expect(captureSoundArgs(['-f', 'pulse', '-i', 'mic'])).toEqual([
    ...[...sound, '-af', toStereo, '-ar', '48000', '-f', 's16le', 'pipe:1'],
  ]);
  expect(timedSoundArgs(['-f', 'pulse', '-i', 'mic'])).toEqual([
    ...[...sound, '-af', `${toStereo},aresample=async=1`, '-ar', '48000'],
    ...['-c:a', 'pcm_s16le', '-map_metadata', '-1', '-map_chapters', '-1', '-f', 'matroska', 'pipe:1'],
  ]);
});

test('the test picture with a clock, whose font has a path of Windows', () => {
  const args = testPictureArgs(format, String.raw`C:\Tally light\Mono.ttf`);
  expect(args.slice(4, 8)).toEqual(['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30']);
  expect(args[args.indexOf('-vf') + 1]).toBe(
    String.raw`drawtext=fontfile=C\\:/Tally light/Mono.ttf:text=%{localtime\\:%H\\\\\\:%M\\\\\\:%S}:fontsize=72:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=18:x=(w-text_w)/2:y=h-text_h*2,` +
      fit,
  );
});

test.each([
  ['/a, [b]; c/Mono.ttf', String.raw`/a\, \[b\]\; c/Mono.ttf`],
  [String.raw`/back\slash/Mono.ttf`, String.raw`/back\\\\slash/Mono.ttf`],
  [String.raw`\\server\a, b\Mono.ttf`, String.raw`//server/a\, b/Mono.ttf`],
])('the font of the test picture is found whatever its path has: %s', (path, written) => {
  const args = testPictureArgs(format, path);
  expect(args[args.indexOf('-vf') + 1]?.split(':text=')[0]).toBe(`drawtext=fontfile=${written}`);
});

test('on macOS a device whose name ffmpeg would misread is opened by its number', () => {
  const device = { id: '4K Camera', name: '4K Camera', index: 2 };
  const { picture, sound } = systemInputs('darwin');
  expect(picture({ kind: 'camera', device }, format)?.at(-1)).toBe('2:none');
  expect(picture({ kind: 'screen', device }, format)?.at(-1)).toBe('2:none');
  expect(sound({ kind: 'microphone', device })?.at(-1)).toBe('none:2');
});

test.each([10, 60])('on macOS a camera is opened at 30 frames a second, also for a broadcast of %i', (fps) => {
  const camera = { kind: 'camera', device: { id: 'Camera', name: 'Any' } } as const;
  expect(systemInputs('darwin').picture(camera, { ...format, fps })).toContain('30');
});
