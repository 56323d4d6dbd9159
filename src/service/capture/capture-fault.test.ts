import { expect, test } from 'vitest';
import { explainDeviceEnd, explainFileEnd, isCutShort } from './capture-fault.ts';

test.each([
  ["[lavfi @ 0x1] No such filter: 'ddagrab'", { code: 'unsupported' }],
  ['[Parsed_ddagrab_0 @ 0x1] Selected output not supported', { code: 'unsupported' }],
  ['[Parsed_ddagrab_0 @ 0x1] Too many open duplication sessions', { code: 'in-use' }],
  ['[Parsed_ddagrab_0 @ 0x1] Desktop duplication access denied', { code: 'refused' }],
  ['[Parsed_ddagrab_0 @ 0x1] Failed to enumerate DXGI output 1', { code: 'gone' }],
  ['[video4linux2,v4l2 @ 0x1] Cannot open video device /dev/video0: Device or resource busy', { code: 'in-use' }],
  ['/dev/video0: Permission denied', { code: 'refused' }],
  [
    '[dshow @ 0x1] Could not run graph (sometimes caused by a device already in use by other application)',
    { code: 'withheld' },
  ],
  ['[x11grab @ 0x1] Cannot open display :7, error 1.', { code: 'gone' }],
  ['[x11grab @ 0x1] Failed to query xcb pointer', { code: 'gone' }],
  ['[in#0/pulse @ 0x1] Error during demuxing: Generic error in an external library', { code: 'gone' }],
  ['[x11grab @ 0x1] Cannot get the image data event_error: response_type:0 error_code:8 sequence:6.', { code: 'hidden' }],
  ['[x11grab @ 0x1] Cannot get the image data event_error: response_type:0 error_code:9 sequence:6.', { code: 'gone' }],
  ['mic: No such entity', { code: 'gone' }],
  ['Something else', { code: 'failed', detail: 'Something else' }],
] as const)('a device whose ffmpeg ends with “%s”', (line, fault) => {
  // ffmpeg ends with a line that says little.
  const lines = fault.code === 'failed' ? [line] : [line, 'Error opening input files: Generic error in an external library'];
  expect(explainDeviceEnd({ stderr: lines })).toEqual(fault);
});

test('a device that macOS refuses is refused, though ffmpeg gives only its name and ends with an input/output error', () => {
  const stderr = [
    '[AVFoundation indev @ 0x1] Failed to create AV capture input device: Cannot use FaceTime HD Camera',
    '[in#0 @ 0x2] Error opening input: Input/output error',
    'Error opening input files: Input/output error',
  ];
  expect(explainDeviceEnd({ stderr })).toEqual({ code: 'refused' });
});

test('a camera of macOS without a mode of the wanted rate is not gone', () => {
  const stderr = [
    '[AVFoundation indev @ 0x1] Selected framerate (30.000000) is not supported by the device',
    '[AVFoundation indev @ 0x1] Supported modes:',
    '[AVFoundation indev @ 0x1]   1920x1080@[60.000240 60.000240]fps',
    '[in#0 @ 0x2] Error opening input: Input/output error',
    'Error opening input files: Input/output error',
  ];
  expect(explainDeviceEnd({ stderr })).toEqual({ code: 'unsupported' });
});

test('a device that was read and vanishes without another word is gone', () => {
  expect(explainDeviceEnd({ stderr: ['room.monitor: Generic error in an external library'] })).toEqual({ code: 'gone' });
});

test('a device or a file whose ffmpeg could not be started for lack of processes says so', () => {
  const end = { stderr: ['spawn /usr/bin/ffmpeg EAGAIN'], shortage: 'processes' } as const;
  const fault = { code: 'not-started', shortage: 'processes' };
  expect([explainDeviceEnd(end), explainFileEnd(end)]).toEqual([fault, fault]);
});

test.each([
  '[mov,mp4,m4a,3gp,3g2,mj2 @ 0x1] stream 0, offset 0x3be63: partial file',
  '[matroska,webm @ 0x1] File ended prematurely',
  'file:/media/usb/show.mp4: Input/output error',
  '[in#0/mpegts @ 0x1] Error during demuxing: Input/output error',
])('a file whose ffmpeg says “%s” was read only in part', (line) => {
  const stderr = ['[h264 @ 0x1] Invalid NAL unit size (3500 > 924).', line];
  expect(isCutShort({ exitCode: 0, killedBy: null, stderr })).toBe(true);
});

test('a file was read only in part if its ffmpeg failed, and not if only some of its pictures or sounds are damaged', () => {
  const stderr = [
    '[mp3float @ 0x1] Header missing',
    'Error while decoding stream #0:0: Invalid data found when processing input',
    '[aist#0:0/mp3 @ 0x1] [dec:mp3float @ 0x1] Error submitting packet to decoder: Invalid data found when processing input',
  ];
  expect(isCutShort({ exitCode: 0, killedBy: null, stderr })).toBe(false);
  expect(isCutShort({ exitCode: 1, killedBy: null, stderr })).toBe(true);
  expect(isCutShort({ exitCode: null, killedBy: 'SIGSEGV', stderr: [] })).toBe(true);
});
