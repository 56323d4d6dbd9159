import { expect, test } from 'vitest';
import { findListedDevice, formatScreenId, formatWindowId, isListable, parseScreenId, parseWindowId } from './device-id.ts';
import type { Device } from './source.ts';

test('ids of screens and windows hold what ffmpeg needs', () => {
  const id = formatScreenId(':0', { name: 'HDMI-1', x: 1920, y: 0, width: 2560, height: 1440 });
  expect(id).toBe(':0@HDMI-1 2560x1440+1920,0');
  expect(parseScreenId(id)).toEqual({ display: ':0', monitor: 'HDMI-1', size: '2560x1440', offset: '1920,0' });
  expect([':0.1', ':0.0', 'far:0.0@HDMI-1 8x8+0,0'].map((each) => parseScreenId(each).display)).toEqual([
    ':0.1',
    ':0',
    'far:0',
  ]);
  const firefox = { window: 0x60000a, programClass: 'Firefox', pid: 4711 };
  expect(formatWindowId(firefox)).toBe('0x60000a#4711 Firefox');
  expect(parseWindowId('0x60000a#4711 Firefox')).toEqual(firefox);
  expect(parseWindowId('0x60000a Two words')).toEqual({ window: 0x60000a, programClass: 'Two words' });
  expect(parseWindowId(formatWindowId({ window: 7, programClass: '' }))).toEqual({ window: 7, programClass: '' });
  const long = formatWindowId({ window: 7, programClass: `two\nlines${'!'.repeat(2_000)}` });
  expect([long.slice(0, 13), long.length, parseWindowId(long)?.window]).toEqual(['0x7 two lines', 204, 7]);
  expect(['window:7:0', '0X7', '7'].map(parseWindowId)).toEqual([undefined, undefined, undefined]);
});

const firefox = { id: '0x60000a Firefox', name: 'Show' };

test.each<[string, 'window', Device[], number | undefined]>([
  [
    'a window under its own number',
    'window',
    [
      { id: '0x1 Firefox', name: 'Show' },
      { ...firefox, name: 'New title' },
    ],
    1,
  ],
  [
    'a window that was opened again',
    'window',
    [
      { id: '0x7 Other', name: 'Show' },
      { id: '0x8 Firefox', name: 'Show' },
    ],
    1,
  ],
  [
    'one of two that have been opened since',
    'window',
    [
      { id: '0x7 Firefox', name: 'Show' },
      { id: '0x8 Firefox', name: 'Show' },
    ],
    undefined,
  ],
  ['a number that another program has now', 'window', [{ id: '0x60000a Gimp', name: 'Show' }], undefined],
  ['another window of the program', 'window', [{ id: '0x8 Firefox', name: 'Mail' }], undefined],
  ['its number, given to a new process of the same program', 'window', [{ id: '0x60000a#9 Firefox', name: 'Mail' }], undefined],
])('%s', (_what, kind, listed, found) => {
  expect(findListedDevice(kind, listed, firefox)).toBe(found === undefined ? undefined : listed[found]);
});

test('a monitor is the same at another size and place, and a display is only itself', () => {
  const listed = [
    { id: ':0', name: 'Whole screen' },
    { id: ':0@HDMI-1 1280x720+0,0', name: 'HDMI-1' },
  ];
  const find = (id: string) => findListedDevice('screen', listed, { id, name: 'Any' });
  expect(find(':0@HDMI-1 1920x1080+1920,0')).toBe(listed[1]);
  expect([find(':0@DP-1 1280x720+0,0'), find(':1@HDMI-1 1280x720+0,0'), find(':1')]).toEqual([undefined, undefined, undefined]);
  // The names that the same have had.
  expect([find(':0.0'), find(':0@1280x720+0,0')]).toEqual(listed);
  const isListed = (id: string) => isListable('screen', listed, { id, name: 'Any' });
  expect([isListed(':0@DP-1 1280x720+0,0'), isListed(':1'), isListed('ddagrab:1')]).toEqual([true, false, false]);
  expect(findListedDevice('camera', [{ id: 'a', name: 'Cam' }], { id: 'b', name: 'Cam' })).toBeUndefined();
});

test('a camera that was chosen by its socket is the one of that name that is plugged into it now', () => {
  const webcam = { id: 'by-id', path: 'by-path', name: 'Webcam' };
  const find = (id: string, name: string) => findListedDevice('camera', [webcam], { id, name });
  expect(['Webcam', 'Webcam (video6)', 'Webcam (2)', 'Other'].map((name) => find('by-path', name))).toEqual([
    webcam,
    webcam,
    undefined,
    undefined,
  ]);
  const twin = { ...webcam, name: 'Webcam (video4)' };
  expect(findListedDevice('camera', [twin], { id: 'by-path', name: 'Webcam (video6)' })).toBe(twin);
});

test('the names of the default microphone and system sound are in no list', () => {
  const isListed = (id: string) => isListable('microphone', [], { id, name: 'Any' });
  expect(['default', '@DEFAULT_SOURCE@', '@DEFAULT_MONITOR@', 'alsa_input.usb', 'default2'].map(isListed)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(isListable('camera', [], { id: 'default', name: 'Any' })).toBe(true);
});
